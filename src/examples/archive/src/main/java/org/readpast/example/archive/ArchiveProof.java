package org.readpast.example.archive;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.io.IOException;
import java.util.List;

/** Proves from the tables and the original files that a run archived each file exactly once. */
@ApplicationScoped
public class ArchiveProof {
  private static final int PAGE = 200;

  @PersistenceContext(unitName = "archive")
  private EntityManager entities;

  /**
   * Holds the result of a proof.
   *
   * @param expected the number of class files in the JDK, and of packages
   * @param archived the number of rows in the archive
   * @param distinct the number of different paths in the archive
   * @param mismatched the number of rows that do not contain the original file's bytes
   * @param left the number of documents that still wait
   * @param exactlyOnce true if each file is archived once and intact, and no document is left
   */
  public record Findings(
      long expected,
      long archived,
      long distinct,
      long mismatched,
      long left,
      boolean exactlyOnce) {}

  /** Compares all files of the run with the archive, which takes seconds. */
  public Findings of(long runId) throws IOException {
    long expected = Originals.count();
    long archived = count("select count(a) from ArchivedDocument a where a.runId = :run", runId);
    long distinct =
        count("select count(distinct a.path) from ArchivedDocument a where a.runId = :run", runId);
    long mismatched = mismatched(runId);
    long left = count("select count(d) from Document d where d.runId = :run", runId);
    boolean exactlyOnce =
        archived == expected && distinct == expected && mismatched == 0 && left == 0;
    return new Findings(expected, archived, distinct, mismatched, left, exactlyOnce);
  }

  // The entities are read page by page and without a transaction, so that only one page is in
  // memory.
  private long mismatched(long runId) throws IOException {
    long mismatched = 0;
    List<ArchivedDocument> page = page(runId, 0);
    while (!page.isEmpty()) {
      for (ArchivedDocument archived : page) {
        if (!Originals.exists(archived.path())
            || !archived.matches(Originals.bytes(archived.path()))) {
          mismatched++;
        }
      }
      page = page(runId, page.get(page.size() - 1).id());
    }
    return mismatched;
  }

  private List<ArchivedDocument> page(long runId, long afterId) {
    return entities
        .createQuery(
            "select a from ArchivedDocument a where a.runId = :run and a.id > :after order by a.id",
            ArchivedDocument.class)
        .setParameter("run", runId)
        .setParameter("after", afterId)
        .setMaxResults(PAGE)
        .getResultList();
  }

  private long count(String query, long runId) {
    return entities.createQuery(query, Long.class).setParameter("run", runId).getSingleResult();
  }
}
