package org.readpast.example.orders;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

/** Stores and finds the orders in the database. */
@ApplicationScoped
public class OrderBook {
  @PersistenceContext(unitName = "orders")
  private EntityManager entities;

  /** Stores an order, and returns its number. */
  public long add(CustomerOrder order) {
    entities.persist(order);
    entities.flush();
    return order.id();
  }

  /** Returns one order. */
  public CustomerOrder find(long number) {
    return entities.find(CustomerOrder.class, number);
  }
}
