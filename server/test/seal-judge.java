import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.spi.x509.revocation.crl.ExternalResourcesCRLSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.io.File;

/** Prints what EU DSS says of each PDF: its indication and format. Arguments: a list of revoked certificates, trusted certificates, "--", PDFs. */
public class SealJudge {
  public static void main(String[] given) throws Exception {
    var verifier = new CommonCertificateVerifier();
    var trusted = new CommonTrustedCertificateSource();
    verifier.setCrlSource(new ExternalResourcesCRLSource(new FileDocument(given[0]).openStream()));
    int at = 1;
    for (; !given[at].equals("--"); at += 1) trusted.addCertificate(DSSUtils.loadCertificate(new File(given[at])));
    verifier.setTrustedCertSources(trusted);
    for (at += 1; at < given.length; at += 1) {
      var validator = SignedDocumentValidator.fromDocument(new FileDocument(given[at]));
      validator.setCertificateVerifier(verifier);
      var report = validator.validateDocument().getSimpleReport();
      for (var id : report.getSignatureIdList())
        System.out.println(
            report.getIndication(id) + " " + report.getSubIndication(id) + " " + report.getSignatureFormat(id)
                + " " + report.getSignedBy(id) + " " + report.getSignatureTimestamps(id).size());
    }
  }
}
