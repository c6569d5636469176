//! Screens.

/// A browser's screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Device {
    /// A window of 1280 x 900.
    Desktop,
    /// 390 x 844, with touch.
    Phone,
    /// 320 x 640 with touch, the narrowest supported screen.
    Narrow,
    /// Any other screen.
    Other(Screen),
}

/// A screen of any size, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    /// Whether it is touched, like a phone's; else there is a mouse.
    pub touch: bool,
    /// Its own pixels for each CSS pixel.
    pub pixel_ratio: f64,
}

impl Screen {
    /// A screen with a mouse.
    pub const fn with_mouse(width: u32, height: u32) -> Screen {
        Screen { width, height, touch: false, pixel_ratio: 1.0 }
    }

    /// A screen to touch.
    pub const fn with_touch(width: u32, height: u32) -> Screen {
        Screen { width, height, touch: true, pixel_ratio: 2.0 }
    }
}

impl From<Screen> for Device {
    fn from(screen: Screen) -> Device {
        Device::Other(screen)
    }
}

impl Device {
    /// The screen. That of [`Device::Desktop`] includes the frame of the window.
    pub fn screen(self) -> Screen {
        match self {
            Device::Desktop => Screen::with_mouse(1280, 900),
            Device::Phone => Screen::with_touch(390, 844),
            Device::Narrow => Screen::with_touch(320, 640),
            Device::Other(screen) => screen,
        }
    }

    /// The device's part of a screenshot's name.
    pub fn name(self) -> String {
        match self {
            Device::Desktop => "desktop".to_string(),
            Device::Phone => "phone".to_string(),
            Device::Narrow => "narrow".to_string(),
            Device::Other(Screen { width, height, .. }) => format!("{width}x{height}"),
        }
    }
}
