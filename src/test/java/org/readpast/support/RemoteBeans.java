package org.readpast.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Accesses the JMX beans of a server process, as its own remote connector shows them to an
 * administrator.
 */
public interface RemoteBeans {
  /** Names the administrator on Open Liberty. */
  String LIBERTY_ADMINISTRATOR = "operations";

  Set<String> names(String pattern) throws IOException;

  /** Returns an attribute as text. */
  String get(String bean, String attribute) throws IOException;

  /** Returns all attributes of a bean as text. Only the connector of a JVM supports this method. */
  default Map<String, String> all(String bean) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Sets an attribute of a bean. Returns the error, or an empty string if there is none. */
  String set(String bean, String attribute, int value) throws IOException;

  /**
   * Calls an operation without parameters. Returns the error, or an empty string if there is none.
   */
  String invoke(String bean, String operation) throws IOException;

  /**
   * Configures the connector of a server. This method must be called before the server is started.
   */
  static RemoteBeans of(ServerProcess server) {
    if (server instanceof LibertyServer liberty) {
      int port = Ports.free();
      liberty.configure(
          "jmx",
          """
          <featureManager><feature>restConnector-2.0</feature></featureManager>
          <httpEndpoint id="defaultHttpEndpoint" httpsPort="%d"/>
          <keyStore id="defaultKeyStore" password="for-a-test"/>
          <quickStartSecurity userName="%s" userPassword="for-a-test"/>
          """
              .formatted(port, LIBERTY_ADMINISTRATOR));
      return new RestConnector(port);
    }
    int port = ((PayaraServer) server).jmxPort();
    return new RmiConnector(
        () -> "service:jmx:rmi:///jndi/rmi://localhost:" + port + "/jmxrmi",
        Map.of(JMXConnector.CREDENTIALS, new String[] {"admin", ""}));
  }

  /** Attaches to the process of a server, as jconsole does on the same machine. */
  static RemoteBeans attachedTo(ServerProcess server) {
    return new RmiConnector(
        () -> {
          try {
            VirtualMachine process = VirtualMachine.attach(Long.toString(server.pid()));
            try {
              return process.startLocalManagementAgent();
            } finally {
              process.detach();
            }
          } catch (AttachNotSupportedException e) {
            throw new IOException(e);
          }
        },
        Map.of());
  }

  /** Connects to Open Liberty, over HTTPS. */
  final class RestConnector implements RemoteBeans {
    private final int port;

    private RestConnector(int port) {
      this.port = port;
    }

    @Override
    public Set<String> names(String pattern) throws IOException {
      JsonArray found = (JsonArray) read(call("GET", "?objectName=" + encoded(pattern), null));
      return found.getValuesAs(JsonObject.class).stream()
          .map(bean -> bean.getString("objectName"))
          .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public String get(String bean, String attribute) throws IOException {
      String answer = call("GET", "/" + encoded(bean) + "/attributes/" + attribute, null);
      JsonObject read = (JsonObject) read(answer);
      if (!read.containsKey("value")) {
        throw new IOException(answer);
      }
      return read.getString("value");
    }

    @Override
    public String set(String bean, String attribute, int value) throws IOException {
      return call(
          "PUT",
          "/" + encoded(bean) + "/attributes/" + attribute,
          "{\"value\":\"" + value + "\",\"type\":\"java.lang.Integer\"}");
    }

    @Override
    public String invoke(String bean, String operation) throws IOException {
      String answer =
          call(
              "POST",
              "/" + encoded(bean) + "/operations/" + operation,
              "{\"params\":[],\"signature\":[]}");
      return answer.contains("\"value\":null") ? "" : answer;
    }

    private static JsonValue read(String json) {
      return Json.createReader(new StringReader(json)).readValue();
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, UTF_8);
    }

    private String call(String method, String path, String body) throws IOException {
      var connection =
          (HttpsURLConnection)
              URI.create("https://localhost:" + port + "/IBMJMXConnectorREST/mbeans" + path)
                  .toURL()
                  .openConnection();
      connection.setSSLSocketFactory(trusting().getSocketFactory());
      connection.setHostnameVerifier((host, session) -> true);
      connection.setRequestMethod(method);
      String login = LIBERTY_ADMINISTRATOR + ":for-a-test";
      connection.setRequestProperty(
          "Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)));
      if (body != null) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.getOutputStream().write(body.getBytes(UTF_8));
      }
      boolean well = connection.getResponseCode() < 400;
      try (var answer = well ? connection.getInputStream() : connection.getErrorStream()) {
        String text = answer == null ? "" : new String(answer.readAllBytes(), UTF_8);
        return well || !text.isEmpty() ? text : "HTTP " + connection.getResponseCode();
      }
    }

    /** Returns a context that trusts every certificate, because the server has created its own. */
    private static SSLContext trusting() {
      TrustManager anybody =
          new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
              return new X509Certificate[0];
            }
          };
      try {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {anybody}, new SecureRandom());
        return context;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Connects to Payara, or to the JVM itself. */
  final class RmiConnector implements RemoteBeans {
    private final Address address;
    private final Map<String, Object> login;

    private RmiConnector(Address address, Map<String, Object> login) {
      this.address = address;
      this.login = login;
    }

    private interface Address {
      String get() throws IOException;
    }

    private interface Question<T> {
      T ask(MBeanServerConnection beans) throws JMException, IOException;
    }

    private <T> T ask(Question<T> question) throws IOException {
      var url = new JMXServiceURL(address.get());
      try (JMXConnector connector = JMXConnectorFactory.connect(url, login)) {
        return question.ask(connector.getMBeanServerConnection());
      } catch (JMException e) {
        throw new IOException(e);
      }
    }

    private String change(Question<Object> change) throws IOException {
      try {
        ask(change);
        return "";
      } catch (RuntimeException e) {
        // Payara wraps the exception several times.
        Throwable cause = e;
        while (cause.getCause() != null) {
          cause = cause.getCause();
        }
        return cause.getMessage();
      }
    }

    @Override
    public Set<String> names(String pattern) throws IOException {
      return ask(beans -> beans.queryNames(new ObjectName(pattern), null)).stream()
          .map(ObjectName::toString)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public String get(String bean, String attribute) throws IOException {
      return ask(beans -> String.valueOf(beans.getAttribute(new ObjectName(bean), attribute)));
    }

    @Override
    public Map<String, String> all(String bean) throws IOException {
      return ask(
          beans -> {
            var name = new ObjectName(bean);
            Map<String, String> all = new TreeMap<>();
            for (MBeanAttributeInfo one : beans.getMBeanInfo(name).getAttributes()) {
              all.put(one.getName(), String.valueOf(beans.getAttribute(name, one.getName())));
            }
            return all;
          });
    }

    @Override
    public String set(String bean, String attribute, int value) throws IOException {
      return change(
          beans -> {
            beans.setAttribute(new ObjectName(bean), new Attribute(attribute, value));
            return true;
          });
    }

    @Override
    public String invoke(String bean, String operation) throws IOException {
      return change(beans -> beans.invoke(new ObjectName(bean), operation, null, null));
    }
  }
}
