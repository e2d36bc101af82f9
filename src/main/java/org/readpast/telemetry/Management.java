package org.readpast.telemetry;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.readpast.engine.EngineStatus;
import org.readpast.model.Owner;

/**
 * Registers the engine, its queues and its busiest job types as beans in the platform's MBean
 * server. The names of the beans contain the application's name, because each application of a
 * server may have an engine. The names also contain the name of the module, except in the first
 * module of an EAR.
 */
final class Management implements MetricsPublisher {
  private static final Logger LOG = System.getLogger(Management.class.getName());
  private static final Pattern NEEDS_QUOTES = Pattern.compile("[,=:\"*?\n\\\\]|^$|^ | $");

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final EngineStatus engine;
  private final Owner owner;
  private final MetricReadings readings;
  private final JmxOperations operations;
  private final Predicate<String> restricted;
  private boolean withModule;
  private final Map<String, ObjectName> registered = new ConcurrentHashMap<>();

  /**
   * Creates the beans of an engine.
   *
   * @param restricted returns true for queues that have no bean, because JMX has no roles for
   *     single queues
   */
  Management(
      EngineStatus engine,
      Owner owner,
      MetricReadings readings,
      JmxOperations operations,
      Predicate<String> restricted) {
    this.engine = engine;
    this.owner = owner;
    this.readings = readings;
    this.operations = operations;
    this.restricted = restricted;
  }

  @Override
  public void update() {
    register("Node", "", new ManagedNode(engine, owner.module(), operations), NodeMXBean.class);
    Set<String> current = new HashSet<>(Set.of(key("Node", "")));
    for (String queue : readings.figures().keySet()) {
      if (!restricted.test(queue)) {
        current.add(key("Queue", queue));
        register("Queue", queue, new ManagedQueue(queue, readings, operations), QueueMXBean.class);
      }
    }
    for (String type : readings.typeFigures().keySet()) {
      current.add(key("JobType", type));
      register("JobType", type, new ManagedJobType(type, readings), JobTypeMXBean.class);
    }
    // The remaining beans are those of removed queues, and of types that are no longer among the
    // busiest.
    registered.forEach(
        (key, name) -> {
          if (!current.contains(key)) {
            unregister(name);
          }
        });
    registered.keySet().retainAll(current);
  }

  /**
   * Removes all beans. If a bean stayed registered, it would keep the whole application in memory.
   */
  @Override
  public void stop() {
    registered.values().forEach(this::unregister);
    registered.clear();
  }

  private <T> void register(String type, String named, T bean, Class<T> by) {
    if (registered.containsKey(key(type, named))) {
      return;
    }
    try {
      var managed = new StandardMBean(ApplicationContext.around(by, bean), by, true);
      ObjectName name = name(owner, withModule, type, named);
      try {
        server.registerMBean(managed, name);
      } catch (InstanceAlreadyExistsException e) {
        if (type.equals("Node") && !withModule && !isOwn(name)) {
          withModule = true;
          register(type, named, bean, by);
          return;
        }
        LOG.log(
            Level.WARNING,
            "READPAST-0070 JMX bean {0} was registered already, by a predecessor that did"
                + " not stop cleanly; it is replaced",
            name);
        unregister(name);
        server.registerMBean(managed, name);
      }
      registered.put(key(type, named), name);
    } catch (JMException e) {
      // The engine works without the JMX bean.
      LOG.log(
          Level.WARNING,
          "READPAST-0071 a JMX bean could not be registered, and is missing until the"
              + " application starts again",
          e);
      registered.put(key(type, named), NONE);
    }
  }

  /**
   * Returns true if a node's bean belongs to an earlier instance of this module that was not
   * stopped.
   */
  private boolean isOwn(ObjectName node) throws JMException {
    try {
      return owner.module().equals(server.getAttribute(node, "Module"));
    } catch (InstanceNotFoundException e) {
      return true;
    }
  }

  private void unregister(ObjectName name) {
    try {
      if (!name.equals(NONE)) {
        server.unregisterMBean(name);
      }
    } catch (InstanceNotFoundException e) {
      LOG.log(Level.DEBUG, "{0} was already removed", name);
    } catch (JMException e) {
      LOG.log(
          Level.WARNING,
          "READPAST-0072 a JMX bean could not be removed, and may keep the stopped"
              + " application in memory; restart the server if the application was"
              + " redeployed or removed",
          e);
    }
  }

  private static final ObjectName NONE = ObjectName.WILDCARD;

  private static String key(String type, String name) {
    return type + ' ' + name;
  }

  /**
   * Returns the name of a bean.
   *
   * @param named the name of the queue or job type; empty for the bean of the node
   */
  static ObjectName name(Owner owner, boolean withModule, String type, String named)
      throws JMException {
    StringBuilder name = new StringBuilder("readpast:type=").append(type);
    name.append(",application=").append(value(owner.application()));
    if (withModule) {
      name.append(",module=").append(value(owner.module()));
    }
    if (!named.isEmpty()) {
      name.append(",name=").append(value(named));
    }
    return new ObjectName(name.toString());
  }

  private static String value(String text) {
    return NEEDS_QUOTES.matcher(text).find() ? ObjectName.quote(text) : text;
  }
}
