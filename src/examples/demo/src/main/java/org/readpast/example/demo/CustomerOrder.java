package org.readpast.example.demo;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Represents an order that a visitor has placed on the page. */
@Entity
@Table(name = "demo_order")
public class CustomerOrder {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private Long id;

  private String item;
  private boolean confirmed;

  protected CustomerOrder() {}

  CustomerOrder(String item) {
    this.item = item;
  }

  long id() {
    return id;
  }

  void confirm() {
    confirmed = true;
  }
}
