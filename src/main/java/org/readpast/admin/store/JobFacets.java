package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.readpast.database.Row;
import org.readpast.model.StoredType;

/**
 * Holds the most frequent values of the matching jobs, by which a search can be narrowed.
 *
 * @param jobs the number of jobs that were counted
 * @param complete false if only the newest matching jobs were counted
 * @param nodes the most frequent names of nodes
 * @param properties the most frequent values, by the name of the property
 */
public record JobFacets(
    long jobs,
    boolean complete,
    List<Facet> queues,
    List<Facet> types,
    List<Facet> states,
    List<Facet> priorities,
    List<Facet> nodes,
    Map<String, List<Facet>> properties) {
  private static final int MOST_VALUES = 10;
  private static final int MOST_PROPERTIES = 10;

  /** Holds a value and the number of jobs that have it. */
  public record Facet(String value, long count) {}

  /** Counts one value among some of the matching jobs. */
  record Part(String kind, String property, String value, long count) {
    static Part read(Row row) {
      String kind = row.text(0);
      String value = row.text(2);
      return new Part(
          kind, row.text(1), kind.equals("TYPE") ? StoredType.nameOf(value) : value, row.number(3));
    }
  }

  static JobFacets of(List<Part> parts, boolean complete, boolean nodes) {
    Map<String, Map<String, Map<String, Long>>> sums = new HashMap<>();
    parts.forEach(
        part ->
            sums.computeIfAbsent(part.kind(), any -> new HashMap<>())
                .computeIfAbsent(part.property(), any -> new HashMap<>())
                .merge(part.value(), part.count(), Long::sum));
    Map<String, List<Facet>> properties = new TreeMap<>();
    sums.getOrDefault("PROPERTY", Map.of()).entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<String, Map<String, Long>> one) -> total(one.getValue()))
                .reversed()
                .thenComparing(Map.Entry::getKey))
        .limit(MOST_PROPERTIES)
        .forEach(one -> properties.put(one.getKey(), facets(one.getValue())));
    return new JobFacets(
        // The list of states is never cut off, because there are only a few states.
        total(values(sums, "STATE")),
        complete,
        facets(values(sums, "QUEUE")),
        facets(values(sums, "TYPE")),
        facets(values(sums, "STATE")),
        facets(values(sums, "PRIORITY")),
        nodes ? facets(values(sums, "NODE")) : List.of(),
        properties);
  }

  private static Map<String, Long> values(
      Map<String, Map<String, Map<String, Long>>> sums, String kind) {
    return sums.getOrDefault(kind, Map.of()).getOrDefault("", Map.of());
  }

  private static long total(Map<String, Long> values) {
    return values.values().stream().mapToLong(Long::longValue).sum();
  }

  private static List<Facet> facets(Map<String, Long> values) {
    List<Facet> facets = new ArrayList<>();
    values.forEach((value, count) -> facets.add(new Facet(value, count)));
    facets.sort(Comparator.comparingLong(Facet::count).reversed().thenComparing(Facet::value));
    return List.copyOf(facets.subList(0, Math.min(MOST_VALUES, facets.size())));
  }
}
