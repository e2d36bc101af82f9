package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Creates a self-signed certificate for {@code localhost} in a directory. */
public final class Certificate {
  public static final String PASSWORD = "key-store-of-a-test";
  public static final String ALIAS = "made-for-a-test";

  private final Path directory;

  private Certificate(Path directory) {
    this.directory = directory;
  }

  public static Certificate in(Path directory) {
    var certificate = new Certificate(directory.toAbsolutePath());
    try {
      Files.createDirectories(directory);
      Files.deleteIfExists(certificate.keyStore());
      keytool(
          "-genkeypair -alias %s -keyalg EC -dname CN=localhost -ext san=dns:localhost -validity 2"
              .formatted(ALIAS),
          "-keystore",
          certificate.keyStore().toString(),
          "-storetype",
          "PKCS12",
          "-storepass",
          PASSWORD);
      KeyStore keys = certificate.load();
      write(certificate.pem(), "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
      Files.deleteIfExists(certificate.privateKey());
      Files.createFile(
          certificate.privateKey(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      write(
          certificate.privateKey(),
          "PRIVATE KEY",
          keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
      return certificate;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs keytool with the words of the first text as arguments, followed by further arguments. */
  static void keytool(String words, String... arguments) {
    var command = new java.util.ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(words.split(" ")));
    command.addAll(List.of(arguments));
    Command.runOrFail(command, Path.of("."), Map.of());
  }

  /** Returns the PKCS12 key store, whose password is {@link #PASSWORD}. */
  public Path keyStore() {
    return directory.resolve("server.p12");
  }

  public Path pem() {
    return directory.resolve("server.pem");
  }

  public Path privateKey() {
    return directory.resolve("server.key");
  }

  /** Returns a context for a client that trusts only this certificate. */
  public SSLContext trusted() {
    try {
      KeyStore trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      trust.setCertificateEntry(ALIAS, load().getCertificate(ALIAS));
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trust);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private KeyStore load() throws GeneralSecurityException, IOException {
    return KeyStore.getInstance(keyStore().toFile(), PASSWORD.toCharArray());
  }

  private static void write(Path file, String kind, byte[] content) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, lines, kind));
  }
}
