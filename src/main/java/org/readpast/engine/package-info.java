/**
 * How jobs are waited for, received, worked and kept alive, free of any container.
 *
 * <p>In reading order: {@link org.readpast.engine.Enqueuing}, {@link org.readpast.engine.Listener},
 * {@link org.readpast.engine.Dispatcher}, {@link org.readpast.engine.Receiver}, {@link
 * org.readpast.engine.TransactionalReceive} and {@link org.readpast.engine.LeasedReceive}, {@link
 * org.readpast.engine.Execution}, {@link org.readpast.engine.Recorder}; beside them {@link
 * org.readpast.engine.Pull}, {@link org.readpast.engine.Awaiting}, {@link
 * org.readpast.engine.Permits}, {@link org.readpast.engine.Heartbeat}, {@link
 * org.readpast.engine.Watch}, {@link org.readpast.engine.Housekeeping}, {@link
 * org.readpast.engine.ScheduleFiring} and {@link org.readpast.engine.Reports}.
 *
 * <p>Knows {@code store}, {@code model}, {@code api}; the container is behind the ports {@link
 * org.readpast.engine.Threads}, {@link org.readpast.engine.Notices} and {@link
 * org.readpast.store.Transactions}.
 */
package org.readpast.engine;
