package org.readpast.example.orders;

import org.readpast.api.JobType;

/** Holds the payload of the job that ships an order. */
@JobType(value = "order.ship", queue = "shipping")
public record ShipOrder(long order) {}
