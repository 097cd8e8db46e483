//! `ranka map`

use crate::failure::Done;
use crate::print;
use clap::{Subcommand, ValueEnum};
use ranka_core::{Picture as _, Seat, Seed};
use ranka_lab::NewFile;
use ranka_tubstap::generate::{MapSymmetry, Plan, read_army};
use ranka_tubstap::{MapFile, Rules, Tubstap, maps};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka map list
  ranka map show citadel
  ranka map make new.tbsmap --size 10x9 --army 'F A5 P U R I I' --seed 3
  ranka play tubstap --rules map=new.tbsmap")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the maps that come with Ranka
    List,
    /// Show a map
    Show {
        /// Its name, or a .tbsmap file
        map: String,
    },
    /// Make a map at random
    Make {
        /// Where to write it
        file: PathBuf,
        /// Columns and rows, the ring of walls included
        #[arg(long, value_name = "WxH", default_value = "8x8", value_parser = size)]
        size: (usize, usize),
        /// Red's units by letter (F A P U R I) and HP
        #[arg(long, value_name = "UNITS", default_value = "I10 I10 I10 P5 P5 U10")]
        army: String,
        /// Blue's units; the same as red's if left out
        #[arg(long, value_name = "UNITS")]
        blue: Option<String>,
        /// How blue's half follows from red's
        #[arg(long, value_enum, default_value = "turned")]
        symmetry: SymmetryArg,
        /// Shares of wall, plain, sea, forest, mountain, road, fortress
        #[arg(long, value_name = "7 NUMBERS", default_value = "0,60,5,18,8,6,3", value_parser = mix)]
        mix: Mix,
        /// Half-turns after which the game is judged
        #[arg(long, default_value_t = 29)]
        limit: u32,
        /// The lead in HP that does not yet win then
        #[arg(long, default_value_t = 10)]
        threshold: u32,
        /// What the map follows from
        #[arg(long, value_name = "S", default_value_t = 0)]
        seed: u64,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum SymmetryArg {
    Turned,
    Mirrored,
    None,
}

type Mix = [u32; 7];

fn size(text: &str) -> Result<(usize, usize), String> {
    let size = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    size.ok_or_else(|| "expected columns x rows, such as 10x8".to_owned())
}

fn mix(text: &str) -> Result<Mix, String> {
    let shares: Option<Vec<u32>> =
        text.split(',').map(|n| n.trim().parse().ok().filter(|&n| n <= 1000)).collect();
    let shares = shares.and_then(|shares| shares.try_into().ok());
    shares.ok_or_else(|| "expected seven numbers 0 to 1000, separated by commas".to_owned())
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::List => {
            let mut table = print::TextTable::headed(["map", "size", "units", "limit", "threshold", ""]);
            for name in maps::names() {
                let map = maps::find(name)?;
                let (width, height) = (map.rows[0].len(), map.rows.len());
                let [red, blue] = map.announced;
                let comment = map.comment.map_or(String::new(), |comment| comment.to_string());
                let (limit, threshold) = (map.limit.to_string(), map.threshold.to_string());
                let (size, units) = (format!("{width}×{height}"), format!("{red} : {blue}"));
                table.row([name.to_owned(), size, units, limit, threshold, comment]);
            }
            print::text(&table.render(""))
        }
        What::Show { map } => show(maps::find(map)?),
        What::Make { file, size, army, blue, symmetry, mix, limit, threshold, seed } => {
            let red = read_army(army)?;
            let blue = blue.as_deref().map_or(Ok(red.clone()), read_army)?;
            let plan = Plan {
                size: *size,
                armies: [red, blue],
                mix: *mix,
                symmetry: match symmetry {
                    SymmetryArg::Turned => MapSymmetry::Turned,
                    SymmetryArg::Mirrored => MapSymmetry::Mirrored,
                    SymmetryArg::None => MapSymmetry::None,
                },
                limit: *limit,
                threshold: *threshold,
                seed: Seed::new(*seed),
            };
            let map = plan.map()?;
            let mut out = NewFile::create(file)?;
            out.write_all(&map.write()).map_err(|error| out.failed(error))?;
            out.finish()?;
            show(map)
        }
    }
}

fn show(map: MapFile) -> Done {
    let game = Tubstap::on(map, Rules::default())?;
    let state = game.map.state(Rules::default())?;
    print::text(&game.sketch(&state, Seat::FIRST))
}
