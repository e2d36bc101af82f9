package org.readpast.rest.oidc;

import com.nimbusds.common.contenttype.ContentType;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/**
 * Sends the library's requests to the OpenID provider. The library itself would read a response of
 * any length.
 */
final class OidcHttp implements ResourceRetriever {
  private static final int CONNECT_MILLIS = 3_000;
  // A provider that has just started may need seconds to generate its keys.
  private static final int ANSWER_MILLIS = 10_000;
  private static final int LONGEST_ANSWER = 1 << 20;

  /** Returns the response, which may be an error; redirects are not followed. */
  HTTPResponse send(HTTPRequest request) throws IOException {
    request.setConnectTimeout(CONNECT_MILLIS);
    request.setReadTimeout(ANSWER_MILLIS);
    request.setFollowRedirects(false);
    request.setAccept("application/json");
    // The verifier is called only if the certificate is for another name; a verifier that the
    // server has set might accept it.
    request.setHostnameVerifier((host, session) -> false);
    try {
      HttpURLConnection connection = request.toHttpURLConnection();
      try {
        HTTPResponse response = new HTTPResponse(connection.getResponseCode());
        response.setBody(body(connection));
        // Not all providers send the content type; a response that is not JSON fails to parse.
        response.setEntityContentType(ContentType.APPLICATION_JSON);
        return response;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      throw new IOException(request.getURL() + " does not respond: " + e, e);
    }
  }

  private static String body(HttpURLConnection connection) throws IOException {
    InputStream stream =
        connection.getResponseCode() < 400
            ? connection.getInputStream()
            : connection.getErrorStream();
    if (stream == null) {
      return "";
    }
    try (stream) {
      byte[] body = stream.readNBytes(LONGEST_ANSWER + 1);
      if (body.length > LONGEST_ANSWER) {
        throw new IOException("its response is longer than " + LONGEST_ANSWER + " bytes");
      }
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  /** Returns a document of the provider. */
  @Override
  public Resource retrieveResource(URL address) throws IOException {
    HTTPResponse response = send(new HTTPRequest(HTTPRequest.Method.GET, address));
    if (response.getStatusCode() != HTTPResponse.SC_OK) {
      throw new IOException(address + " responded with " + response.getStatusCode() + ", not 200");
    }
    return new Resource(response.getBody(), null);
  }
}
