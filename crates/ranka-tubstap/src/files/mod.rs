//! The original program's files: maps, game records, results.

mod segments;

mod map;
mod record;
mod results;

pub use map::MapFile;
pub use record::{GameRecord, RecordedAct, RecordedTurn, Taken};
pub use results::{ResultRow, results_csv};
pub use segments::Text;
