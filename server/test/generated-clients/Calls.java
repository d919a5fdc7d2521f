import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AuthApi;
import org.openapitools.client.api.CertificatesApi;
import org.openapitools.client.api.IdentitiesApi;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.model.CertificateJsonDto;
import org.openapitools.client.model.LoginBodyDto;

/** Five calls with the client that openapi-generator writes for Java. */
public class Calls {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API_URL"));
    LoginBodyDto credentials =
        new LoginBodyDto().username(System.getenv("USERNAME")).password(System.getenv("PASSWORD"));
    String token = new AuthApi(client).authLogin(credentials, null).getAccessToken();
    client.setRequestInterceptor(request -> request.header("authorization", "Bearer " + token));
    String company = System.getenv("COMPANY");
    var me = new UsersApi(client).usersReadMe(null);
    var identity =
        new IdentitiesApi(client)
            .identitiesList("test", null, null, null, null, null, null, null, company, null)
            .get(0);
    ObjectMapper mapper = client.getObjectMapper();
    var certificate = mapper.readValue(System.getenv("CERTIFICATE"), CertificateJsonDto.class);
    CertificatesApi certificates = new CertificatesApi(client);
    var notarization =
        certificates.certificatesNotarize(
            identity.getId(), "test", certificate, null, null, null, null, company, null, null);
    var verification = certificates.certificatesVerify("test", certificate, null);
    System.out.println(
        mapper.writeValueAsString(
            List.of(
                me.getUsername(),
                notarization.getHash().getValue(),
                verification.getHash().getValue())));
  }
}
