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
   * The findings of a proof.
   *
   * @param expected class files in the JDK, and packages
   * @param archived rows in the archive
   * @param distinct different paths among them
   * @param mismatched rows that do not unzip to the original file's bytes
   * @param left documents still waiting
   * @param exactlyOnce the verdict: each file is archived once and intact, and no document is left
   */
  public record Findings(
      long expected,
      long archived,
      long distinct,
      long mismatched,
      long left,
      boolean exactlyOnce) {}

  /** Compares all files of the run; takes seconds. */
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

  // Reads page by page and without a transaction, so that only the entities of one page are in
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
