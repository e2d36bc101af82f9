package org.readpast.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.readpast.support.Command;
import org.readpast.support.TestPostgres;

/**
 * Mounts file systems in memory for the data and the WAL of a PostgreSQL, small enough to be
 * filled.
 */
final class SmallDisks implements AutoCloseable {
  private static final List<Disk> SIZES =
      List.of(new Disk(TestPostgres.DATA, "1g"), new Disk(TestPostgres.WAL, "256m"));

  private record Disk(String name, String size) {}

  /** Contains settings that keep the WAL smaller than its disk. */
  static final String[] SETTINGS = {"max_wal_size=96MB", "min_wal_size=32MB"};

  private static final String BALLAST = "ballast";

  private final List<Path> disks = new ArrayList<>();

  SmallDisks() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Returns true if this user may mount file systems. */
  static boolean possible() {
    if (!System.getProperty("user.name").equals("root") || Tools.find("mount").isEmpty()) {
      return false;
    }
    try {
      Path place = Files.createTempDirectory("readpast-disk");
      boolean mounted = mount(place, "1m").exitCode() == 0;
      if (mounted) {
        unmount(place);
      }
      Files.delete(place);
      return mounted;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Command.Result mount(Path place, String size) {
    return Command.run(
        List.of("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", place.toString()));
  }

  private static void unmount(Path place) {
    // Unmounts the file systems, even while a server uses them.
    Command.run(List.of("umount", "-l", place.toString()));
  }

  /** Mounts the file systems in the directory of a PostgreSQL. */
  void mountIn(Path directory) {
    SIZES.forEach(
        disk -> {
          try {
            Path place = Files.createDirectories(directory.resolve(disk.name())).toRealPath();
            Command.Result result = mount(place, disk.size());
            if (result.exitCode() != 0) {
              throw new IllegalStateException("no disk in " + place + ": " + result.output());
            }
            disks.add(place);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Returns the disks in a fixed order. */
  List<Path> all() {
    return disks;
  }

  /** Fills a disk to the last byte. */
  static void fill(Path disk) throws IOException {
    try (OutputStream ballast = Files.newOutputStream(disk.resolve(BALLAST))) {
      byte[] piece = new byte[1 << 20];
      for (int size = piece.length; size > 0; size /= 16) {
        fill(ballast, piece, size);
      }
    }
  }

  private static void fill(OutputStream ballast, byte[] piece, int size) {
    try {
      while (true) {
        ballast.write(piece, 0, size);
      }
    } catch (IOException e) {
      // No further piece of this size fits on the disk.
    }
  }

  static void empty(Path disk) throws IOException {
    Files.deleteIfExists(disk.resolve(BALLAST));
  }

  @Override
  public synchronized void close() {
    disks.forEach(SmallDisks::unmount);
    disks.clear();
  }
}
