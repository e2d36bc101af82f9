package org.readpast.runtime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Holds the classes that a beans.xml excludes from bean discovery. A filter with conditions is
 * treated like one without conditions.
 *
 * @param nothing true if no class of the archive is discovered
 * @param excluded names of classes, or names of packages followed by {@code .*}, or by {@code .**}
 *     to include subpackages
 */
record BeansXml(boolean nothing, List<String> excluded) {
  /** Parses a file that the container has already validated. An empty file excludes nothing. */
  static BeansXml read(InputStream file) throws IOException {
    byte[] text = file.readAllBytes();
    if (text.length == 0) {
      return new BeansXml(false, List.of());
    }
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      Document document = factory.newDocumentBuilder().parse(new ByteArrayInputStream(text));
      List<String> excluded = new ArrayList<>();
      NodeList filters = document.getElementsByTagNameNS("*", "exclude");
      for (int i = 0; i < filters.getLength(); i++) {
        excluded.add(((Element) filters.item(i)).getAttribute("name"));
      }
      String mode = document.getDocumentElement().getAttribute("bean-discovery-mode");
      return new BeansXml(mode.equals("none"), excluded);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("beans.xml cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns true if this class of the archive is excluded. */
  boolean excludes(String type) {
    return nothing || excluded.stream().anyMatch(filter -> matches(filter, type));
  }

  private static boolean matches(String filter, String type) {
    if (filter.endsWith(".**")) {
      return type.startsWith(filter.substring(0, filter.length() - 2));
    }
    return filter.endsWith(".*")
        ? type.substring(0, type.lastIndexOf('.') + 1)
            .equals(filter.substring(0, filter.length() - 1))
        : filter.equals(type);
  }
}
