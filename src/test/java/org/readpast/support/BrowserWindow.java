package org.readpast.support;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Represents a browser window that records all errors that occur in it. */
public final class BrowserWindow implements AutoCloseable {
  private static final String WATCH =
      """
      addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
      window.layoutShifts = [];
      new PerformanceObserver((list) => list.getEntries().filter((entry) => !entry.hadRecentInput).forEach((entry) =>
        window.layoutShifts.push(`${entry.value.toFixed(4)} ${entry.sources.map((source) =>
          source.node?.outerHTML?.slice(0, 120) ?? source.node?.textContent).join(' | ')}`)))
        .observe({ type: 'layout-shift', buffered: true });""";

  // The browser adds 300 bytes for the headers, even if a response comes from the cache.
  private static final String TRANSFERRED =
      """
      () => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter((entry) => entry.transferSize > 300)
        .map((entry) => `${entry.encodedBodySize} ${entry.name.split('/').pop()}`)""";

  private static final String CHECK =
      """
      async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.flatMap((violation) =>
        violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')}: ${node.failureSummary}`))""";

  private final BrowserContext context;
  private final Page page;
  private final URI root;
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final List<String> expected = new ArrayList<>();

  BrowserWindow(Browser browser, URI root) {
    this.root = root;
    context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(1440, 900)
                .setLocale("en-GB")
                .setTimezoneId("Europe/Berlin")
                .setReducedMotion(ReducedMotion.REDUCE));
    context.setDefaultTimeout(15_000);
    context.addInitScript(WATCH);
    context.onConsoleMessage(
        message -> {
          if ("error".equals(message.type())) {
            faults.add(message.text() + " " + message.location());
          }
        });
    context.onWebError(error -> faults.add(error.error()));
    context.onRequestFailed(
        request -> {
          // A page aborts requests whose results it no longer needs.
          if (!"net::ERR_ABORTED".equals(request.failure())) {
            faults.add(request.url() + ": " + request.failure());
          }
        });
    page = context.newPage();
  }

  public Page page() {
    return page;
  }

  public BrowserContext context() {
    return context;
  }

  /** Returns the address of a path under the root. */
  public String uri(String path) {
    return root + path;
  }

  /** Opens a path under the root. */
  public void open(String path) {
    page.navigate(uri(path));
  }

  public void dark(boolean dark) {
    page.emulateMedia(
        new Page.EmulateMediaOptions()
            .setColorScheme(dark ? ColorScheme.DARK : ColorScheme.LIGHT)
            .setReducedMotion(ReducedMotion.REDUCE));
  }

  /** Ignores errors that contain the given text, because the test causes them deliberately. */
  public void expectFault(String part) {
    expected.add(part);
  }

  /** Returns script errors, violations of the security policy, and failed requests. */
  public List<String> faults() {
    // This call makes Playwright deliver pending messages of the browser.
    page.evaluate("0");
    return faults.stream().filter(fault -> expected.stream().noneMatch(fault::contains)).toList();
  }

  /** Returns the accessibility violations that axe finds in the current view. */
  @SuppressWarnings("unchecked")
  public List<String> accessibilityFaults() {
    if (!Boolean.TRUE.equals(page.evaluate("typeof axe === 'object'"))) {
      page.evaluate(Axe.SCRIPT);
    }
    return (List<String>) page.evaluate(CHECK);
  }

  /** Returns the unexpected layout shifts since the document was loaded. */
  @SuppressWarnings("unchecked")
  public List<String> layoutShifts() {
    return (List<String>) page.evaluate("layoutShifts");
  }

  /**
   * Returns the compressed size in bytes and the name of each resource that was transferred over
   * the network since the document was loaded.
   */
  @SuppressWarnings("unchecked")
  public List<String> transferred() {
    return (List<String>) page.evaluate(TRANSFERRED);
  }

  /** Saves a screenshot in {@code target/screenshots}. */
  public void screenshot(String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(Path.of("target/screenshots", name + ".png")));
  }

  @Override
  public void close() {
    context.close();
  }

  private static final class Axe {
    static final String SCRIPT = read();

    private static String read() {
      try (InputStream script = Axe.class.getResourceAsStream("/axe.min.js")) {
        return new String(script.readAllBytes(), StandardCharsets.UTF_8) + ";0";
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
