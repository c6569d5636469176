//! Files of any size are read up to a limit.

use std::io::ErrorKind;
use std::path::Path;

use richman_files::read_bounded;

#[test]
fn files_are_read_up_to_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("five");
    let kind = |path: &Path, limit| read_bounded(path, limit).unwrap_err().kind();
    assert_eq!(kind(&path, 4), ErrorKind::NotFound);
    std::fs::write(&path, b"12345").unwrap();
    assert_eq!(read_bounded(&path, 5).unwrap(), b"12345");
    assert_eq!(kind(&path, 4), ErrorKind::FileTooLarge);
    assert!(read_bounded(folder.path(), 4).is_err());
    let endless = Path::new("/dev/zero");
    if endless.exists() {
        assert_eq!(kind(endless, 1000), ErrorKind::FileTooLarge);
    }
}
