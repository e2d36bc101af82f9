package org.readpast.example.archive;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Represents one pass over all files to archive. */
@Entity
@Table(name = "archive_run")
public class ArchiveRun {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private Long id;

  private long expected;

  // Only the loading jobs increase the number of documents, because archiving jobs that updated it
  // would wait for each other.
  private long loaded;

  protected ArchiveRun() {}

  ArchiveRun(long expected) {
    this.expected = expected;
  }

  long id() {
    return id;
  }

  long expected() {
    return expected;
  }

  long loaded() {
    return loaded;
  }

  void addLoaded(long documents) {
    loaded += documents;
  }
}
