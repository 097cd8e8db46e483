use super::super::testing::near;
use super::*;

fn table(wins: &[&[u64]], draws: &[&[u64]]) -> Crosstable {
    let rows = |matrix: &[&[u64]]| -> Vec<Vec<u64>> { matrix.iter().map(|row| row.to_vec()).collect() };
    Crosstable::of(&rows(wins), &rows(draws)).unwrap()
}

/// The American League's east of 1987 (Agresti, *Categorical Data Analysis*, table 10.10): Milwaukee,
/// Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
fn baseball() -> Crosstable {
    table(
        &[
            &[0, 7, 9, 7, 7, 9, 11],
            &[6, 0, 7, 5, 11, 9, 9],
            &[4, 6, 0, 7, 7, 8, 12],
            &[6, 8, 6, 0, 6, 7, 10],
            &[6, 2, 6, 7, 0, 7, 12],
            &[4, 4, 5, 6, 6, 0, 6],
            &[2, 4, 1, 3, 1, 7, 0],
        ],
        &[&[0; 7][..]; 7],
    )
}

#[test]
fn baseball_as_published() {
    let ratings = baseball().rate();
    assert_eq!((ratings.warnings.as_slice(), ratings.draw), (&[][..], 0.0));
    let baltimore = ratings.agents[6].elo;
    for (agent, published) in [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839].into_iter().enumerate() {
        near((ratings.agents[agent].elo - baltimore) / ELO, published, 5.1e-5);
    }
    // The published errors are of differences to Baltimore: Milwaukee's is 0.3433.
    let c = &ratings.covariance;
    near((c[0][0] + c[6][6] - 2.0 * c[0][6]).sqrt(), 0.3433, 5.1e-5);
    near(ratings.agents.iter().map(|agent| agent.elo).sum(), 0.0, 1e-9);
    assert_eq!(ratings.order(), [0, 1, 2, 3, 4, 5, 6]);
    let sure: Vec<f64> = (1..7).map(|worse| ratings.superiority(worse - 1, worse)).collect();
    assert!(sure.iter().all(|p| (0.5..1.0).contains(p)), "{sure:?}");
}

#[test]
fn two_agents_have_a_closed_form() {
    let mut table = Crosstable::new(2);
    table.add([1, 0], [20, 25, 45]).unwrap();
    let ratings = table.rate();
    near(ratings.agents[0].elo - ratings.agents[1].elo, 400.0 * (45f64 / 20.0).log10(), 1e-9);
    near(ratings.draw, 25.0 / (45f64 * 20.0).sqrt(), 1e-9);
    assert_eq!(ratings.warnings, []);
    // The variance of ln (wins/losses) is 1/wins + 1/losses.
    let c = &ratings.covariance;
    near(c[0][0] + c[1][1] - 2.0 * c[0][1], 1.0 / 45.0 + 1.0 / 20.0, 1e-9);
    near(ratings.agents[0].error, ELO * (1.0 / 45.0 + 1.0 / 20.0f64).sqrt() / 2.0, 1e-9);
}

#[test]
fn no_other_ratings_are_more_likely() {
    let table = table(&[&[0, 5, 9], &[3, 0, 6], &[2, 4, 0]], &[&[0, 4, 1], &[4, 0, 7], &[1, 7, 0]]);
    let best = table.rate().model;
    let most = best.ln_likelihood(&table);
    let steps = [-0.3, -0.01, -1e-4, 0.0, 1e-4, 0.01, 0.3];
    for a in steps {
        for b in steps {
            for c in steps {
                let strengths = vec![best.strengths[0] + a, best.strengths[1] + b, best.strengths[2]];
                let other = Model { strengths, draw: best.draw.map(|draw| draw + c) };
                assert!(other.ln_likelihood(&table) <= most + 1e-12, "{a} {b} {c}");
            }
        }
    }
}

#[test]
fn points_and_draws_are_as_expected_of_the_ratings() {
    // In an exponential family the maximum is where the statistics meet their expectations.
    let table = table(&[&[0, 5, 9], &[3, 0, 6], &[2, 4, 0]], &[&[0, 4, 1], &[4, 0, 7], &[1, 7, 0]]);
    let model = table.rate().model;
    let (mut points, mut draws) = ([0.0; 3], 0.0);
    for meeting in &table.meetings {
        let [win, drawn, loss] = model.chances(meeting.agents).map(|p| p * meeting.games());
        points[meeting.agents[0]] += win + drawn / 2.0;
        points[meeting.agents[1]] += loss + drawn / 2.0;
        draws += drawn;
    }
    for (found, expected) in points.into_iter().zip([14.0 + 2.5, 9.0 + 5.5, 6.0 + 4.0]) {
        near(found, expected, 1e-9);
    }
    near(draws, 12.0, 1e-9);
}

#[test]
fn simulated_errors_agree_with_the_information_and_follow_the_seed() {
    let table = baseball();
    let ratings = table.rate();
    let simulated = table.simulated_errors(&ratings, 400, Seed::new(1));
    for (rating, error) in ratings.agents.iter().zip(&simulated) {
        near(error / rating.error, 1.0, 0.2);
    }
    assert_eq!(simulated, table.simulated_errors(&ratings, 400, Seed::new(1)));
    assert_ne!(simulated, table.simulated_errors(&ratings, 400, Seed::new(2)));
    let mut long = Crosstable::new(2);
    long.add([0, 1], [300_000, 500_000, 200_000]).unwrap();
    let ratings = long.rate();
    near(long.simulated_errors(&ratings, 400, Seed::new(1))[0] / ratings.agents[0].error, 1.0, 0.2);
}

#[test]
fn groups_that_never_met_are_told() {
    let mut table = Crosstable::new(5);
    table.add([0, 1], [6, 0, 2]).unwrap();
    table.add([2, 3], [1, 2, 4]).unwrap();
    let ratings = table.rate();
    assert_eq!(ratings.warnings, [Warning::Disconnected { groups: 3 }]);
    assert_eq!(ratings.agents.iter().map(|agent| agent.group).collect::<Vec<_>>(), [0, 0, 1, 1, 2]);
    near(ratings.agents[0].elo + ratings.agents[1].elo, 0.0, 1e-9);
    assert!(ratings.agents[0].elo > 0.0 && ratings.agents[2].elo < 0.0);
    assert_eq!((ratings.agents[4].elo, ratings.agents[4].error), (0.0, f64::INFINITY));
    assert_eq!(ratings.superiority(0, 2), 0.5);
    assert_eq!(table.simulated_errors(&ratings, 10, Seed::new(1))[4], f64::INFINITY);
}

#[test]
fn infinite_ratings_are_avoided_and_told() {
    let one_sided: [(&str, &[([usize; 2], u64, u64, u64)]); 6] = [
        ("all won", &[([0, 1], 20, 0, 0)]),
        ("won or drawn", &[([0, 1], 20, 5, 0)]),
        ("all drawn", &[([0, 1], 0, 9, 0), ([1, 2], 0, 3, 0)]),
        ("one lost all", &[([0, 1], 3, 0, 3), ([1, 2], 5, 0, 0), ([0, 2], 5, 0, 0)]),
        ("a ladder", &[([0, 1], 3, 2, 0), ([1, 2], 3, 2, 0)]),
        ("very many", &[([0, 1], u64::MAX, 0, 0)]),
    ];
    for (name, games) in one_sided {
        let mut table = Crosstable::new(3);
        games.iter().for_each(|&(who, wins, draws, losses)| table.add(who, [wins, draws, losses]).unwrap());
        let ratings = table.rate();
        assert!(ratings.warnings.contains(&Warning::Regularised), "{name}");
        assert!(ratings.agents.iter().all(|agent| agent.elo.is_finite()), "{name}: {ratings:?}");
        assert!(ratings.draw.is_finite());
        let errors = table.simulated_errors(&ratings, 5, Seed::new(1));
        assert!(errors.iter().all(|error| !error.is_nan()), "{name}: {errors:?}");
    }
    let mut all_won = Crosstable::new(2);
    all_won.add([0, 1], [20, 0, 0]).unwrap();
    let ratings = all_won.rate();
    near(ratings.agents[0].elo - ratings.agents[1].elo, 400.0 * (20.5f64 / 0.5).log10(), 1e-9);
}

#[test]
fn a_circle_has_a_maximum_although_nobody_ever_lost_and_won_against_the_same() {
    let mut table = Crosstable::new(3);
    for who in [[0, 1], [1, 2], [2, 0]] {
        table.add(who, [4, 1, 0]).unwrap();
    }
    let ratings = table.rate();
    assert_eq!(ratings.warnings, []);
    ratings.agents.iter().for_each(|agent| near(agent.elo, 0.0, 1e-6));
}

#[test]
fn whether_there_is_a_maximum_is_known_beforehand() {
    // Without the additional games, Newton's method stays near where there is one and runs away where not.
    let mut rng = ranka_core::Rng::new(Seed::new(4));
    let mut seen = [0; 2];
    for _ in 0..2000 {
        let mut table = Crosstable::new(4);
        for _ in 0..3 + rng.below(12) {
            let one = rng.index(4);
            let result = [[1, 0, 0], [0, 1, 0], [0, 0, 1]][rng.index(3)];
            table.add([one, (one + 1 + rng.index(3)) % 4], [result[0], result[1], result[2]]).unwrap();
        }
        let groups = groups(&table);
        let (model, _) = fit(&table, &groups);
        let largest = model.strengths.iter().chain(&model.draw).fold(0f64, |most, x| most.max(x.abs()));
        let exists = has_maximum(&table, &groups);
        assert_eq!(exists, largest < 10.0, "{table:?} {model:?}");
        seen[usize::from(exists)] += 1;
    }
    assert!(seen.iter().all(|&times| times > 200), "{seen:?}");
}

#[test]
fn extreme_records_and_long_chains_are_rated() {
    let mut table = Crosstable::new(2);
    table.add([0, 1], [1_000_000_000_000, 0, 1]).unwrap();
    let ratings = table.rate();
    near(ratings.agents[0].elo - ratings.agents[1].elo, 4800.0, 0.5);
    let mut chain = Crosstable::new(30);
    for agent in 1..30 {
        chain.add([agent - 1, agent], [30, 5, 10]).unwrap();
    }
    let ratings = chain.rate();
    assert_eq!((ratings.warnings.as_slice(), ratings.order()), (&[][..], (0..30).collect()));
    for pair in ratings.agents.windows(2) {
        near(pair[0].elo - pair[1].elo, 400.0 * 3f64.log10(), 1e-6);
    }
}

#[test]
fn nobody_and_nothing_answer() {
    assert_eq!(Crosstable::new(0).rate().agents, []);
    let alone = Crosstable::new(1).rate();
    assert_eq!((alone.agents[0].elo, alone.agents[0].error), (0.0, f64::INFINITY));
    let strangers = Crosstable::new(2).rate();
    assert_eq!(strangers.warnings, [Warning::Disconnected { groups: 2 }]);
}

#[test]
fn nonsense_is_refused() {
    let none = vec![vec![0, 0], vec![0, 0]];
    assert!(Crosstable::of(&[vec![0, 1], vec![2]], &none).is_err());
    assert!(Crosstable::of(&none, &[vec![0, 1], vec![2, 0]]).is_err());
    assert!(Crosstable::of(&[vec![1, 0], vec![0, 0]], &none).is_err());
    assert!(Crosstable::of(&none, &[]).is_err());
    assert!(Crosstable::new(2).add([0, 0], [1, 0, 0]).is_err());
    assert!(Crosstable::new(2).add([0, 2], [1, 0, 0]).is_err());
}
