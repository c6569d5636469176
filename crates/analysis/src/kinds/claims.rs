//! The claims of all kinds of solutions: what `--save` writes, and what `verify` proves.

use std::io::{self, Write};

use richman_core::{Effort, Mechanism, ParityGraph, Playable, Unfolding};
use richman_formats::saved::{AnyClaim, BadClaim, Claim};
use richman_formats::{FormatError, JsonReader};

use super::*; // the modules of all kinds
use crate::ask::{Insight, Scope};
use crate::saved::{ProvedClaim, SavedPosition, SavingFault, VerifyReport};
use crate::{Error, saved};

/// A claim that can be proved from the rules of its game.
pub(crate) trait ProvableClaim: Claim {
    /// The objective of its games.
    type Objective: Playable;

    /// The claim in less memory, if reading takes more than proving.
    type Compact: From<Self> + Held;

    /// Refuses mechanisms that have no such claims.
    fn serves(&self, mechanism: &Mechanism) -> Result<(), Error>;

    /// The number of positions in the claim, or in its smallest part.
    fn positions(&self) -> usize;

    /// Says in `proved` what the claim is about. Returns the number of positions at which all
    /// numbers are exact.
    fn describe(&self, proved: &mut ProvedClaim) -> usize;

    /// Proves the claim.
    fn prove(
        claim: Self::Compact,
        unfolding: &dyn Unfolding<Self::Objective>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<(), SavingFault>;

    /// Proves the claim, for players.
    fn insight(self, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
        let _ = (scope, effort);
        Err(Error::not_played_by(
            "only solutions with chips of games that need not end are played by, and of the same kind",
        ))
    }

    /// Proves the claim; its plans as a parity game without bids.
    fn game_of_plans(
        self,
        unfolding: &dyn Unfolding<Self::Objective>,
        mechanism: &Mechanism,
        effort: &Effort,
    ) -> Result<ParityGraph, SavingFault> {
        let _ = (unfolding, mechanism, effort);
        Err(SavingFault::NoPlans)
    }
}

/// What takes memory while it is proved.
pub(crate) trait Held {
    /// About how many bytes are held.
    fn held(&self) -> u64;
}

impl<C: Claim> Held for C {
    fn held(&self) -> u64 {
        self.bytes()
    }
}

/// The claims of all kinds, in the order in which messages name their keys.
macro_rules! claims {
    ($($of:ty { $($(#[$about:meta])* $kind:ident($claim:ty),)* })+) => {
        /// A solution's claim: values at the solved position and at every position they rest on.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum SolutionClaim {
            $($($(#[$about])* $kind($claim),)*)+
        }

        $($(impl From<$claim> for SolutionClaim {
            fn from(claim: $claim) -> SolutionClaim {
                SolutionClaim::$kind(claim)
            }
        })*)+

        impl AnyClaim for SolutionClaim {
            const KEYS: &'static [&'static str] = &[$($(<$claim as Claim>::KEY,)*)+];

            fn read(key: &str, json: &mut JsonReader) -> Result<SolutionClaim, FormatError> {
                $($(if key == <$claim as Claim>::KEY {
                    return Ok(SolutionClaim::$kind(<$claim as Claim>::read(json)?));
                })*)+
                Err(json.bad_value(format!("there is no claim {key:?}")))
            }

            fn key(&self) -> &'static str {
                match self {
                    $($(SolutionClaim::$kind(_) => <$claim as Claim>::KEY,)*)+
                }
            }

            fn write(&self, out: &mut dyn Write) -> io::Result<()> {
                match self {
                    $($(SolutionClaim::$kind(claim) => claim.write(out),)*)+
                }
            }

            fn check(&self, mechanism: &Mechanism) -> Result<(), BadClaim> {
                match self {
                    $($(SolutionClaim::$kind(claim) => claim.check(mechanism),)*)+
                }
            }
        }

        impl SolutionClaim {
            /// About how many bytes are held.
            pub fn bytes(&self) -> u64 {
                match self {
                    $($(SolutionClaim::$kind(claim) => claim.bytes(),)*)+
                }
            }

            /// Unfolds the game from its rules, and proves the claim.
            pub(crate) fn verify(
                self,
                of: SavedPosition,
                mechanism: &Mechanism,
                effort: &Effort,
            ) -> Result<VerifyReport, Error> {
                match self {
                    $($(SolutionClaim::$kind(claim) => saved::verified(claim, of, mechanism, effort),)*)+
                }
            }

            /// The same, with its plans as a game.
            pub(crate) fn verify_plans(
                self,
                of: SavedPosition,
                mechanism: &Mechanism,
                effort: &Effort,
            ) -> Result<(VerifyReport, Option<ParityGraph>), Error> {
                match self {
                    $($(SolutionClaim::$kind(claim) => saved::verified_plans(claim, of, mechanism, effort),)*)+
                }
            }

            /// Proves the claim, for players.
            pub(crate) fn insight(self, scope: &Scope, effort: &Effort) -> Result<Insight, Error> {
                match self {
                    $($(SolutionClaim::$kind(claim) => claim.insight(scope, effort),)*)+
                }
            }
        }
    };
}

kinds!(claims);
