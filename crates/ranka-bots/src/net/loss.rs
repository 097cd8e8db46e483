//! Why a server ends a game to a client's disadvantage.

use super::Trouble;
use ranka_core::EndReason;

/// Why a client loses a game, or leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) reason: EndReason,
    pub(crate) detail: String,
}

impl Loss {
    pub(crate) fn new(reason: EndReason, detail: impl Into<String>) -> Loss {
        Loss { reason, detail: detail.into() }
    }
}

impl From<Trouble> for Loss {
    fn from(trouble: Trouble) -> Loss {
        let reason = match &trouble {
            Trouble::Gone(_) => EndReason::Disconnected,
            Trouble::Late => EndReason::Timeout,
            Trouble::Stopped => EndReason::Cancelled,
            Trouble::TooLong | Trouble::NotText | Trouble::TooFast => EndReason::Protocol,
        };
        Loss::new(reason, trouble.to_string())
    }
}
