//! Turns, levels and deadlines.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use richman_core::Watch;

use super::*;

const WHOLE: Duration = Duration::from_secs(30);

fn client(number: u8) -> Client {
    Client::of([10, 0, 0, number].into())
}

/// Works for `time`, unless cancelled.
fn works(time: Duration) -> impl Fn(&Deadline) -> Result<(), Refusal> + Send + Sync + 'static {
    move |deadline| {
        let until = Instant::now() + time;
        while Instant::now() < until && !deadline.cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_with_many_long_jobs_does_not_delay_the_others() {
    let desk = Desk::new(1, 1000, 1 << 20);
    let greedy: Vec<_> = (0..100)
        .map(|_| {
            let desk = desk.clone();
            tokio::spawn(client(1).scope(async move { desk.run(WHOLE, works(Duration::from_secs(1))).await }))
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(desk.waiting() > 90);
    let begun = Instant::now();
    client(2).scope(desk.run(WHOLE, works(Duration::from_millis(1)))).await.unwrap();
    let cheap = begun.elapsed();
    client(2).scope(desk.run(WHOLE, works(Duration::from_millis(700)))).await.unwrap();
    let long = begun.elapsed() - cheap;
    assert!(cheap < Duration::from_millis(500), "{cheap:?}");
    assert!(long < Duration::from_secs(6), "{long:?}");
    assert!(greedy.iter().filter(|job| !job.is_finished()).count() > 80);
    for job in &greedy {
        job.abort();
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(desk.waiting(), 0, "what nobody waits for is dropped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_tried_until_there_is_time_enough() {
    let desk = Desk::new(1, 10, 1 << 20);
    for (time, tries) in [(0, 1), (100, 2), (600, 3)] {
        let tried = Arc::new(AtomicUsize::new(0));
        let (count, work) = (Arc::clone(&tried), works(Duration::from_millis(time)));
        let counted = move |deadline: &Deadline| {
            count.fetch_add(1, Ordering::SeqCst);
            work(deadline)
        };
        desk.run(WHOLE, counted).await.unwrap();
        assert!((tries..=3).contains(&tried.load(Ordering::SeqCst)), "{time} ms");
    }
    let refused = |deadline: &Deadline| {
        works(Duration::from_secs(5))(deadline)?;
        Err::<(), _>(Refusal::from(richman_core::Error::Cancelled))
    };
    let late = desk.run(Duration::from_millis(400), refused).await;
    assert!(matches!(late, Err(Refusal::OutOfTime(_))), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_client_waits_for_so_much_and_no_more() {
    let desk = Desk::new(1, 3, 1 << 20);
    let refusals = Arc::new(Mutex::new(0));
    let jobs: Vec<_> = (0..20)
        .map(|_| {
            let (desk, refusals) = (desk.clone(), Arc::clone(&refusals));
            tokio::spawn(client(1).scope(async move {
                match desk.run(Duration::from_secs(1), works(Duration::from_millis(900))).await {
                    Err(Refusal::Busy(_)) => *refusals.lock().unwrap() += 1,
                    done => done.unwrap(),
                }
            }))
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    client(2).scope(desk.run(WHOLE, works(Duration::ZERO))).await.unwrap();
    for job in jobs {
        job.await.unwrap();
    }
    assert!(*refusals.lock().unwrap() >= 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_an_error_and_frees_its_place() {
    let desk = Desk::new(1, 3, 1 << 20);
    for _ in 0..5 {
        let lost = desk.run(WHOLE, |_| -> Result<(), Refusal> { panic!("a secret") }).await;
        assert!(matches!(lost, Err(Refusal::Internal(_))), "{lost:?}");
    }
    desk.run(WHOLE, works(Duration::ZERO)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn long_and_short_jobs_wait_for_memory() {
    let desk = Desk::new(2, 1000, 4 << 20);
    for (memory, at_once) in [(4 << 20, 1), (2 << 20, 2)] {
        // The number of running jobs and its maximum: for short jobs, and for long ones.
        let counts: Arc<[[AtomicUsize; 2]; 2]> = Arc::default();
        let jobs = (0..4).map(|number| {
            let (desk, counted) = (desk.clone(), Arc::clone(&counts));
            let work = move |deadline: &Deadline| {
                assert_eq!(deadline.memory, memory);
                let (is_long, left) = (deadline.is_whole(), deadline.left());
                let is_counted = is_long || left > HURRIED / 2;
                let [running, most] = &counted[usize::from(is_long)];
                if is_counted {
                    most.fetch_max(1 + running.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
                }
                let done = works(Duration::from_millis(700))(deadline);
                running.fetch_sub(usize::from(is_counted), Ordering::SeqCst);
                done
            };
            async move { client(number).scope(desk.within(memory).run(WHOLE, work)).await.unwrap() }
        });
        futures_util::future::join_all(jobs).await;
        assert_eq!(counts.each_ref().map(|[_, most]| most.load(Ordering::SeqCst)), [at_once; 2]);
    }
}
