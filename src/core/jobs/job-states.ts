/**
 * The life of a job in the engine. An arrow in capitals is a decision of the engine, one in small letters an event
 * that the driver reports.
 *
 * ```
 *  submitted ──► UNASSIGNED ──► routed to a pool ──(way there)──► IN_TRANSFER ──arrived──┐
 *      │         (no pool has       └────────────────────────────────────────────────────┤
 *      ▼          room for it)                                                           │
 *   rejected: no pool can hold it                                        ┌───────────────┘
 *                                                                        ▼       held
 *                                   ┌──────────────────────────────► WAITING ◄─────────► HELD
 *                                   │ startFailed, lost                  │      released
 *                                   │ (tries left), MOVE                 │ START
 *                                   │                                    ▼
 *                                   │◄─────────────────────────────  STARTING
 *                                   │                                    │ started
 *                                   │                                    ▼
 *                                   │◄─────────────────────────────  RUNNING ──SUSPEND──► SUSPENDING
 *                                   │                                 ▲                       │ suspended
 *                                   │                         resumed │                       ▼
 *                                   │◄───────────────────────────  RESUMING ◄──RESUME──── SUSPENDED
 *                                   │
 *                                   └── killed (moved, preempted) ─── KILLING ◄── KILL from any state with machines
 *
 *  SUSPENDING ──suspendFailed──► RUNNING            RESUMING ──resumeFailed──► SUSPENDED
 *  KILLING (to preempt) ──suspendFailed──► RUNNING
 *  found on machines ──► RUNNING
 *  any state with machines ──lost──► WAITING, if tries are left
 *  WAITING, SUSPENDED, KILLING (to move) ──MOVE──► WAITING; IN_TRANSFER if the way takes time
 * ```
 *
 * The job is over and its handle void: with `exited`; with `killed` if it was cancelled or its other attempt has ended;
 * with `lost` if no tries are left or its other attempt goes on; with `startFailed` by its own fault; when it is
 * cancelled, or CANCEL says so, and it has no machines.
 *
 * A START or RESUME on a machine that other jobs are still leaving is a claim: the job is STARTING or RESUMING, the
 * room is reserved for it, and the decision can be read once the others have left. A claim is void when `suspendFailed`
 * says that one of them stays, when the machine is drained, down, removed or smaller, or when its job is cancelled. The
 * job then waits, or stays suspended, as before.
 *
 * A job is UNASSIGNED only if its virtual pool has a queue and no pool has room for it. All others are routed as soon as
 * they are submitted. An UNASSIGNED job can be held and released like a WAITING one.
 */
export const FREE = 0;
export const WAITING = 1;
export const RUNNING = 2;
export const SUSPENDED = 3;
/** In transfer to a pool. */
export const IN_TRANSFER = 4;
/** Taken out of the queue by its user until it is released. */
export const HELD = 5;
export const STARTING = 6;
export const SUSPENDING = 7;
export const RESUMING = 8;
export const KILLING = 9;
/** In the queue of its virtual pool, since no candidate pool has room for it. */
export const UNASSIGNED = 10;
/** How many there are. */
export const STATES = 11;

// Why a job is being killed: what happens once it is.
export const KILL_TO_MOVE = 1;
/** Another job takes its machine, in a pool that cannot suspend. It waits again afterwards. */
export const KILL_TO_PREEMPT = 2;
/** Its user cancels it. */
export const KILL_TO_CANCEL = 3;
/** The other attempt at the same job has ended. */
export const KILL_TWIN = 4;
