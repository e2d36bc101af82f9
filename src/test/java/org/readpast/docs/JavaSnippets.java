package org.readpast.docs;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.readpast.support.CodeBlock;

/**
 * Compiles the Java of pages. A block with a package declaration or imports is compiled as a file.
 * Any other block is compiled as members of a class, or as statements of a method, depending on how
 * it can be parsed. The surrounding class extends {@link Surroundings} and imports what
 * applications with Readpast usually import.
 */
final class JavaSnippets {
  private static final Pattern FILE = Pattern.compile("(?m)^(package|import) ");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern TYPE =
      Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record|interface) (\\w+)");
  private static final String IMPORTS =
      """
      package org.readpast.docs;
      import jakarta.enterprise.context.*;
      import jakarta.enterprise.event.*;
      import jakarta.inject.*;
      import jakarta.json.*;
      import jakarta.transaction.*;
      import java.time.*;
      import java.util.*;
      import javax.naming.*;
      import org.readpast.api.*;
      import org.readpast.testkit.*;
      """;

  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final List<Source> sources = new ArrayList<>();

  /** Holds source code in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final CodeBlock block;
    private final String code;

    Source(CodeBlock block, String name, String code) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.block = block;
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }

  void add(CodeBlock block) {
    // On the page, "{ … }" stands for the body of a method.
    String text = block.text().replace("{ … }", "{}");
    sources.add(FILE.matcher(text).find() ? file(block, text) : fragment(block, text));
  }

  private Source file(CodeBlock block, String text) {
    Matcher type = TYPE.matcher(text);
    if (!type.find()) {
      throw new IllegalArgumentException(block + " declares no type");
    }
    Matcher inPackage = PACKAGE.matcher(text);
    if (inPackage.find()) {
      return new Source(block, inPackage.group(1).replace('.', '/') + "/" + type.group(1), text);
    }
    // The files of one page can refer to each other.
    String own = "pages." + block.page().getFileName().toString().replaceAll("\\W", "_");
    return new Source(
        block, own.replace('.', '/') + "/" + type.group(1), "package %s;\n%s".formatted(own, text));
  }

  private Source fragment(CodeBlock block, String text) {
    String name = "Snippet" + sources.size();
    String open = IMPORTS + "abstract class " + name + " extends Surroundings {\n";
    Source members = new Source(block, name, open + text + "}\n");
    return parses(members)
        ? members
        : new Source(block, name, open + "void shown() throws Exception {\n" + text + "}\n}\n");
  }

  private boolean parses(Source source) {
    DiagnosticCollector<JavaFileObject> faults = new DiagnosticCollector<>();
    try {
      ((JavacTask) compiler.getTask(null, null, faults, null, null, List.of(source))).parse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return faults.getDiagnostics().stream().noneMatch(JavaSnippets::isError);
  }

  private static boolean isError(Diagnostic<?> fault) {
    return fault.getKind() == Diagnostic.Kind.ERROR;
  }

  /** Returns the compiler errors by block. */
  Map<String, List<String>> errors(Path classes) {
    DiagnosticCollector<JavaFileObject> faults = new DiagnosticCollector<>();
    List<String> options = List.of("-proc:none", "-d", classes.toString());
    compiler.getTask(null, null, faults, options, null, sources).call();
    Map<String, List<String>> errors = new TreeMap<>();
    for (Diagnostic<? extends JavaFileObject> fault : faults.getDiagnostics()) {
      if (isError(fault)) {
        String block = fault.getSource() instanceof Source source ? source.block.toString() : "";
        errors
            .computeIfAbsent(block, none -> new ArrayList<>())
            .add(fault.getMessage(java.util.Locale.ENGLISH));
      }
    }
    return errors;
  }
}
