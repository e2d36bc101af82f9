/**
 * The engine waits for jobs, claims them, runs them, and keeps their leases alive, independently of
 * any container.
 *
 * <p>The main classes, in reading order: {@link org.readpast.engine.Enqueuing}, {@link
 * org.readpast.engine.Listener}, {@link org.readpast.engine.Dispatcher}, {@link
 * org.readpast.engine.Receiver}, {@link org.readpast.engine.LaneClaims}, {@link
 * org.readpast.engine.JobWorker}, {@link org.readpast.engine.TransactionalWork} and {@link
 * org.readpast.engine.LeasedWork}, {@link org.readpast.engine.HandlerInvoker}, {@link
 * org.readpast.engine.OutcomeRecorder}. Other important classes are {@link
 * org.readpast.engine.SynchronousReceive}, {@link org.readpast.engine.Heartbeat}, {@link
 * org.readpast.engine.Watchdog} and {@link org.readpast.engine.Maintenance}.
 *
 * <p>This package depends on {@code dependency}, {@code enqueue}, {@code store}, {@code database},
 * {@code model} and {@code api}. The container is hidden behind the interfaces {@link
 * org.readpast.engine.Threads}, {@link org.readpast.engine.Notices} and {@link
 * org.readpast.database.Transactions}; schedules are behind {@link org.readpast.engine.TimedWork},
 * and reports of lost jobs to operators are behind {@link org.readpast.engine.LossReports}.
 */
package org.readpast.engine;
