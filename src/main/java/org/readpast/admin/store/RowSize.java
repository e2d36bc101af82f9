package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.List;

/** Holds the id of a row and the number of bytes of its contents. */
public record RowSize(long id, long bytes) {
  private static final long MOST_BYTES = 4L << 20;

  /**
   * Splits rows into pieces whose contents are transferred to this node in one transaction. A piece
   * has up to a maximum number of rows, and 4 MiB; a larger row is a separate piece.
   */
  public static List<List<Long>> pieces(List<RowSize> rows, int most) {
    List<List<Long>> pieces = new ArrayList<>();
    List<Long> piece = new ArrayList<>();
    long bytes = 0;
    for (RowSize row : rows) {
      if (!piece.isEmpty() && (piece.size() == most || bytes + row.bytes() > MOST_BYTES)) {
        pieces.add(piece);
        piece = new ArrayList<>();
        bytes = 0;
      }
      piece.add(row.id());
      bytes += row.bytes();
    }
    if (!piece.isEmpty()) {
      pieces.add(piece);
    }
    return pieces;
  }
}
