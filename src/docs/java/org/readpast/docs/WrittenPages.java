package org.readpast.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Writes the documentation as HTML, with an index to search. Before the build packages the WAR, it
 * runs this file by itself. Links between pages are kept. If a page links to a file of the project,
 * the file is also written as text; a link to a directory becomes plain text. A diagram is shown as
 * the picture that {@code src/dev/diagrams} has drawn of it, or as its source if there is no
 * picture.
 */
public final class WrittenPages {
  private static final Path DOCS = Path.of("docs");
  private static final Path TEMPLATE = Path.of("src/docs/pages");
  private static final List<String> OTHER_PAGES =
      List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md");
  private static final Pattern OUTSIDE = Pattern.compile("[a-z]+:.*|//.*");

  private final Parser parser =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();
  private final Path target;
  private final Set<Path> pages = new LinkedHashSet<>();
  private final List<String> sections = new ArrayList<>();

  private WrittenPages(Path target) {
    this.target = target;
  }

  /** Writes all pages to the directory that is the only argument. */
  public static void main(String[] arguments) throws IOException {
    new WrittenPages(Path.of(arguments[0])).write();
  }

  private void write() throws IOException {
    for (Path directory : List.of(DOCS, Path.of("src/examples"))) {
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(file -> !file.toString().contains("/target/"))
            .sorted()
            .forEach(pages::add);
      }
    }
    OTHER_PAGES.forEach(page -> pages.add(Path.of(page)));
    String template = Files.readString(TEMPLATE.resolve("page.html"));
    for (Path page : pages) {
      write(page, template);
    }
    for (String file : List.of("pages.css", "search.js")) {
      copy(TEMPLATE.resolve(file), target.resolve(file));
    }
    Files.writeString(target.resolve("search.json"), "[" + String.join(",\n", sections) + "]\n");
  }

  private void write(Path page, String template) throws IOException {
    Node document = parser.parse(Files.readString(page));
    Sections found = new Sections();
    document.accept(found);
    List<Path> files = new ArrayList<>();
    document.accept(new Links(page, files));
    document.accept(new Diagrams(page, files));
    String body =
        HtmlRenderer.builder()
            .extensions(List.of(TablesExtension.create()))
            .attributeProviderFactory(
                context ->
                    (node, tag, attributes) -> {
                      String anchor = found.anchors.get(node);
                      if (anchor != null) {
                        attributes.put("id", anchor);
                      }
                    })
            // Only pages of this project are written, and the only HTML in them is comments.
            .escapeHtml(false)
            .build()
            .render(document);
    Path written = written(page);
    Files.createDirectories(target.resolve(written).getParent());
    String root = "../".repeat(written.getNameCount() - 1);
    Files.writeString(
        target.resolve(written),
        template
            .replace("{title}", escaped(found.title()))
            .replace("{root}", root)
            .replace("{body}", body));
    for (Section section : found.sections) {
      sections.add(section.json(written, found.title()));
    }
    for (Path file : files) {
      copy(file, target.resolve(written(file)));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.write(to, Files.readAllBytes(from));
  }

  /**
   * Returns the path of a page or a file of the project, relative to the directory of all pages.
   */
  private static Path written(Path file) {
    String name = file.toString().replace('\\', '/');
    String place =
        name.equals("docs/README.md")
            ? "index.md"
            : file.startsWith(DOCS) ? name.substring("docs/".length()) : "project/" + name;
    if (place.endsWith(".md")) {
      return Path.of(place.substring(0, place.length() - 2) + "html");
    }
    return Path.of(place.endsWith(".svg") ? place : place + ".txt");
  }

  /** Returns the address of a written file, relative to a written page. */
  private static String relative(Path page, Path file) {
    Path from = written(page).getParent();
    Path to = written(file);
    return (from == null ? to : from.relativize(to)).toString().replace('\\', '/');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Returns the picture of a diagram; the first diagram of a page has the number 1. */
  static Path picture(Path page, int number) {
    String name = page.getFileName().toString().replace(".md", "-" + number + ".svg");
    return DOCS.resolve("images/diagrams").resolve(name);
  }

  /** Returns true if a picture was drawn from this source, and not from an earlier one. */
  static boolean isDrawnFrom(Path picture, String source) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
      return Files.isRegularFile(picture)
          && Files.readString(picture).contains(HexFormat.of().formatHex(hash));
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(picture + " cannot be compared with its source", e);
    }
  }

  /** Changes links so that they point to the written files, and records which files are needed. */
  private final class Links extends AbstractVisitor {
    private final Path page;
    private final List<Path> files;

    Links(Path page, List<Path> files) {
      this.page = page;
      this.files = files;
    }

    @Override
    public void visit(Link link) {
      visitChildren(link);
      String destination = link.getDestination();
      if (OUTSIDE.matcher(destination).matches() || destination.startsWith("#")) {
        return;
      }
      String written = follow(destination);
      if (written != null) {
        link.setDestination(written);
        return;
      }
      Node after = link;
      for (Node child = link.getFirstChild(); child != null; ) {
        Node next = child.getNext();
        after.insertAfter(child);
        after = child;
        child = next;
      }
      link.unlink();
    }

    /** Pictures of the console are not needed in the console, and would make the WAR larger. */
    @Override
    public void visit(Image image) {
      image.unlink();
    }

    private String follow(String destination) {
      int hash = destination.indexOf('#');
      String path = hash < 0 ? destination : destination.substring(0, hash);
      Path parent = page.getParent();
      Path file = (parent == null ? Path.of(path) : parent.resolve(path)).normalize();
      if (Files.isDirectory(file)) {
        file = file.resolve("README.md");
      }
      if (!pages.contains(file)) {
        if (!Files.isRegularFile(file)) {
          return null;
        }
        files.add(file);
      }
      String relative = relative(page, file);
      return hash < 0 ? relative : relative + destination.substring(hash);
    }
  }

  /** Replaces diagrams by pictures, and records the files of the pictures. */
  private static final class Diagrams extends AbstractVisitor {
    private final Path page;
    private final List<Path> files;
    private String heading = "";
    private int number;

    Diagrams(Path page, List<Path> files) {
      this.page = page;
      this.files = files;
    }

    @Override
    public void visit(Heading node) {
      heading = node.getFirstChild() instanceof Text text ? text.getLiteral() : "";
    }

    @Override
    public void visit(FencedCodeBlock block) {
      if (!"mermaid".equals(block.getInfo())) {
        return;
      }
      number++;
      Path picture = picture(page, number);
      if (!isDrawnFrom(picture, block.getLiteral())) {
        return;
      }
      files.add(picture);
      Image image = new Image(relative(page, picture), null);
      image.appendChild(new Text("Diagram: " + heading));
      Paragraph paragraph = new Paragraph();
      paragraph.appendChild(image);
      block.insertBefore(paragraph);
      block.unlink();
    }
  }

  /** Holds a heading and the text below it, up to the next heading. */
  private static final class Section {
    private final String heading;
    private final String anchor;
    private final StringBuilder text = new StringBuilder();

    Section(String heading, String anchor) {
      this.heading = heading;
      this.anchor = anchor;
    }

    String json(Path page, String title) {
      return "{\"page\":%s,\"title\":%s,\"heading\":%s,\"anchor\":%s,\"text\":%s}"
          .formatted(
              quoted(page.toString().replace('\\', '/')),
              quoted(title),
              quoted(heading),
              quoted(anchor),
              quoted(text.toString().strip().replaceAll("\\s+", " ")));
    }

    private static String quoted(String text) {
      return '"'
          + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ")
          + '"';
    }
  }

  /** Collects the sections of a page, with the anchors that GitHub generates for its headings. */
  private static final class Sections extends AbstractVisitor {
    private final List<Section> sections = new ArrayList<>();
    private final Map<Node, String> anchors = new HashMap<>();
    private final Map<String, Integer> named = new HashMap<>();
    private StringBuilder text = new StringBuilder();

    String title() {
      return sections.isEmpty() ? "" : sections.get(0).heading;
    }

    @Override
    public void visit(Heading heading) {
      text = new StringBuilder();
      visitChildren(heading);
      String name = text.toString().strip();
      String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
      int before = named.merge(plain, 1, Integer::sum) - 1;
      String anchor = before == 0 ? plain : plain + "-" + before;
      anchors.put(heading, anchor);
      Section section = new Section(name, anchor);
      sections.add(section);
      text = section.text;
    }

    @Override
    public void visit(Text node) {
      text.append(node.getLiteral());
    }

    @Override
    public void visit(Code node) {
      text.append(node.getLiteral());
    }

    @Override
    public void visit(SoftLineBreak node) {
      text.append(' ');
    }

    @Override
    public void visit(FencedCodeBlock node) {
      text.append(' ').append(node.getLiteral());
    }

    @Override
    protected void visitChildren(Node parent) {
      super.visitChildren(parent);
      // Cells and paragraphs are separated by spaces.
      text.append(' ');
    }
  }
}
