package org.readpast.example.archive;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Represents a zipped file, with the data needed to check it. */
@Entity
@Table(name = "archived_document")
public class ArchivedDocument {
  // The row has its own id, so a document that is archived twice creates two rows, which the proof
  // counts.
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "archived_document_id")
  @SequenceGenerator(
      name = "archived_document_id",
      sequenceName = "archived_document_id",
      allocationSize = 50)
  private Long id;

  @Column(name = "run_id")
  private long runId;

  private String path;
  private String sha256;
  private long size;
  private byte[] gzip;

  protected ArchivedDocument() {}

  ArchivedDocument(Document document) throws IOException {
    runId = document.runId();
    path = document.path();
    sha256 = sha256(document.content());
    size = document.content().length;
    gzip = zip(document.content());
  }

  long id() {
    return id;
  }

  String path() {
    return path;
  }

  /**
   * Returns true if the size and the digest match the given bytes, and the zip file contains
   * exactly these bytes.
   */
  boolean matches(byte[] original) {
    try (var unzipped = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return size == original.length
          && sha256.equals(sha256(original))
          && MessageDigest.isEqual(original, unzipped.readAllBytes());
    } catch (IOException damagedZip) {
      return false;
    }
  }

  private static byte[] zip(byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zipping = new GZIPOutputStream(bytes)) {
      zipping.write(content);
    }
    return bytes.toByteArray();
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
