package org.readpast.example.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Represents an order by a customer. */
@Entity
@Table(name = "customer_order")
public class CustomerOrder {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private Long id;

  private String item;
  private int quantity;
  private String shipped;

  protected CustomerOrder() {}

  CustomerOrder(String item, int quantity) {
    this.item = item;
    this.quantity = quantity;
  }

  Long id() {
    return id;
  }

  String item() {
    return item;
  }

  int quantity() {
    return quantity;
  }

  void shipped(String parcel) {
    shipped = parcel;
  }
}
