/**
 * How jobs are waited for, claimed, worked and kept alive, free of any container.
 *
 * <p>In reading order: {@link org.readpast.engine.Enqueuing}, {@link org.readpast.engine.Listener},
 * {@link org.readpast.engine.Dispatcher}, {@link org.readpast.engine.Receiver}, {@link
 * org.readpast.engine.LaneClaims}, {@link org.readpast.engine.JobWorker}, {@link
 * org.readpast.engine.TransactionalWork} and {@link org.readpast.engine.LeasedWork}, {@link
 * org.readpast.engine.HandlerInvoker}, {@link org.readpast.engine.FailureRecorder}; beside them
 * {@link org.readpast.engine.SynchronousReceive}, {@link org.readpast.engine.Heartbeat}, {@link
 * org.readpast.engine.Watch}, {@link org.readpast.engine.Maintenance} and {@link
 * org.readpast.engine.DependencyResolver}.
 *
 * <p>Knows {@code store}, {@code model}, {@code api}; the container is behind the ports {@link
 * org.readpast.engine.Threads}, {@link org.readpast.engine.Notices} and {@link
 * org.readpast.store.Transactions}, schedules behind {@link org.readpast.engine.TimedWork}, and
 * what operators are told of losses behind {@link org.readpast.engine.LossReports}.
 */
package org.readpast.engine;
