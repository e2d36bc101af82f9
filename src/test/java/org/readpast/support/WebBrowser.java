package org.readpast.support;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.impl.driver.Driver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Starts Chromium once in the JVM. The browser is that of {@code -Dreadpast.browser=<path>}, or of
 * the environment variable READPAST_BROWSER, or an installed one, or Playwright's own, which is
 * downloaded once. The browser belongs to the thread that runs the tests.
 */
public final class WebBrowser {
  // Without this setting, the driver would download three browsers.
  private static final Map<String, String> NO_DOWNLOAD =
      Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");

  private static final List<String> USUAL_PLACES =
      List.of(
          "/usr/bin/chromium-headless-shell",
          "/usr/bin/chromium",
          "/usr/bin/chromium-browser",
          "/usr/bin/google-chrome",
          "/opt/google/chrome/chrome",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
          "C:/Program Files/Google/Chrome/Application/chrome.exe");

  private WebBrowser() {}

  /** Returns a window that shares no data with other windows, and shows no page yet. */
  public static BrowserWindow window(URI root) {
    return new BrowserWindow(Shared.BROWSER, root);
  }

  private static Browser launch() {
    Optional<Path> installed = installed();
    if (installed.isEmpty()) {
      download();
    }
    // Assertions wait as long as other tests do, because a machine may be busy.
    PlaywrightAssertions.setDefaultAssertionTimeout(15_000);
    Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(NO_DOWNLOAD));
    return playwright
        .chromium()
        .launch(
            new LaunchOptions()
                .setExecutablePath(installed.orElse(null))
                .setArgs(List.of("--disable-gpu", "--disable-dev-shm-usage")));
  }

  private static Optional<Path> installed() {
    Stream<String> named =
        Stream.of(System.getProperty("readpast.browser"), System.getenv("READPAST_BROWSER"))
            .filter(path -> path != null && !path.isBlank());
    return Stream.concat(named, USUAL_PLACES.stream())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static void download() {
    ProcessBuilder builder =
        Driver.ensureDriverInstalled(NO_DOWNLOAD, false).createProcessBuilder();
    builder.command().addAll(List.of("install", "chromium"));
    try {
      int exitCode = builder.inheritIO().start().waitFor();
      if (exitCode != 0) {
        throw new IllegalStateException(
            "no browser could be downloaded; install Chromium, or name one by READPAST_BROWSER");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static final class Shared {
    static final Browser BROWSER = launch();
  }
}
