package org.readpast.example.orders;

import org.readpast.api.JobType;

/** The job that follows an order. */
@JobType(value = "order.ship", queue = "shipping")
public record ShipOrder(long order) {}
