package org.readpast.example.archive;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;

/** Represents a file that waits to be archived, or a listing that must be computed first. */
@Entity
@Table(name = "document")
public class Document {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "document_id")
  @SequenceGenerator(name = "document_id", sequenceName = "document_id", allocationSize = 500)
  private Long id;

  @Column(name = "run_id")
  private long runId;

  private String path;
  private byte[] content;

  protected Document() {}

  Document(long runId, String path, byte[] content) {
    this.runId = runId;
    this.path = path;
    this.content = content;
  }

  long id() {
    return id;
  }

  long runId() {
    return runId;
  }

  String path() {
    return path;
  }

  byte[] content() {
    return content;
  }

  void compute(byte[] listing) {
    content = listing;
  }
}
