//! Who may think next: so many at a time, and among those who wait the visitor for whom the fewest searches go on. So
//! whoever has many tables with heavy agents waits for their own, and the others do not.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// A fair queue.
#[derive(Debug)]
pub(crate) struct Turns {
    most: usize,
    queue: Mutex<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    /// How many turns each visitor has now.
    going_on: HashMap<IpAddr, usize>,
    /// Who waits, in the order in which they came.
    waiting: VecDeque<(IpAddr, oneshot::Sender<Turn>)>,
}

/// The right to think until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    visitor: IpAddr,
}

impl Turns {
    /// So many at a time.
    pub(crate) fn new(most: usize) -> Arc<Turns> {
        Arc::new(Turns { most, queue: Mutex::default() })
    }

    /// Waits for a turn.
    pub(crate) async fn wait(self: &Arc<Turns>, visitor: IpAddr) -> Option<Turn> {
        let (sender, turn) = oneshot::channel();
        self.queue().waiting.push_back((visitor, sender));
        self.hand_out();
        turn.await.ok()
    }

    /// A turn at once or not at all. The last one is kept for somebody who has none.
    pub(crate) fn now(self: &Arc<Turns>, visitor: IpAddr) -> Option<Turn> {
        let mut queue = self.queue();
        let last = queue.count() + 1 >= self.most;
        if queue.count() >= self.most || last && queue.of(visitor) > 0 {
            return None;
        }
        *queue.going_on.entry(visitor).or_default() += 1;
        Some(Turn { turns: Arc::clone(self), visitor })
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Counts are changed at once or not at all.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hand_out(self: &Arc<Turns>) {
        loop {
            let next = self.queue().next(self.most);
            let Some((visitor, sender)) = next else { return };
            // Who has gone meanwhile gives it back.
            drop(sender.send(Turn { turns: Arc::clone(self), visitor }));
        }
    }
}

impl Queue {
    fn count(&self) -> usize {
        self.going_on.values().sum()
    }

    fn of(&self, visitor: IpAddr) -> usize {
        self.going_on.get(&visitor).copied().unwrap_or(0)
    }

    /// Takes out whose turn it is, if one is free.
    fn next(&mut self, most: usize) -> Option<(IpAddr, oneshot::Sender<Turn>)> {
        self.waiting.retain(|(_, sender)| !sender.is_closed());
        if self.count() >= most {
            return None;
        }
        let place = (0..self.waiting.len()).min_by_key(|&place| self.of(self.waiting[place].0))?;
        let (visitor, sender) = self.waiting.remove(place)?;
        *self.going_on.entry(visitor).or_default() += 1;
        Some((visitor, sender))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut queue = self.turns.queue();
        if let Some(count) = queue.going_on.get_mut(&self.visitor) {
            *count -= 1;
        }
        queue.going_on.retain(|_, count| *count > 0);
        drop(queue);
        self.turns.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn visitor(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    /// Lets everybody who can go on.
    async fn settle() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    #[tokio::test]
    async fn who_has_many_tables_does_not_keep_the_others_waiting() {
        let turns = Turns::new(2);
        let (greedy, modest) = (visitor(1), visitor(2));
        let held = [turns.wait(greedy).await, turns.wait(greedy).await];
        let order = Arc::new(Mutex::new(Vec::new()));
        let wait = |who: IpAddr| {
            let (turns, order) = (Arc::clone(&turns), Arc::clone(&order));
            tokio::spawn(async move {
                let turn = turns.wait(who).await;
                order.lock().unwrap().push(who);
                settle().await;
                drop(turn);
            })
        };
        let mut waiting: Vec<_> = (0..10).map(|_| wait(greedy)).collect();
        settle().await;
        waiting.push(wait(modest));
        settle().await;
        assert!(order.lock().unwrap().is_empty());
        drop(held);
        for one in waiting {
            one.await.unwrap();
        }
        let order = order.lock().unwrap();
        assert_eq!(order[0], modest, "ten came before, all of them somebody else's");
        assert_eq!(order.len(), 11);
        assert_eq!(turns.queue().count(), 0);
    }

    #[tokio::test]
    async fn who_waits_no_more_takes_no_turn() {
        let turns = Turns::new(1);
        let held = turns.wait(visitor(1)).await;
        let gone = tokio::time::timeout(Duration::from_millis(10), turns.wait(visitor(2))).await;
        assert!(gone.is_err());
        drop(held);
        assert_eq!(turns.queue().count(), 0);
        assert!(turns.wait(visitor(3)).await.is_some());
    }

    #[tokio::test]
    async fn the_last_turn_is_kept_for_somebody_else() {
        let turns = Turns::new(3);
        let held = [turns.now(visitor(1)), turns.now(visitor(1)), turns.now(visitor(1))];
        assert_eq!(held.each_ref().map(Option::is_some), [true, true, false]);
        let other = turns.now(visitor(2));
        assert!(other.is_some() && turns.now(visitor(3)).is_none());
        // A single one is for anybody.
        assert!(Turns::new(1).now(visitor(1)).is_some());
    }
}
