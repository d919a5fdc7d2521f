import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { replaceCertificate, withdrawCertificate } from '../corrections/correct-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { readCertificateLife } from '../life/read-life.ts'
import { countCertificates } from '../lists/count-certificates.ts'
import { listCertificates } from '../lists/list-certificates.ts'
import { mailCertificateAgain } from '../mails/mail-again.ts'
import { refuseCertificate, releaseCertificate } from './decide-release.ts'
import { notarize, type NotarizeDependencies } from './notarize.ts'
import { readCertificate, readCertificateJson, readCertificatePdf } from '../certificates/read-certificate.ts'

export const notarizationRoutes = (
  deps: CertificateDependencies,
  inTurns: NotarizeDependencies,
): readonly Binding[] => {
  const bind = bindTo(deps)
  const bindInTurn = bindTo(inTurns)
  return [
    bindInTurn(operations.notarizeCertificate, notarize),
    bindInTurn(operations.notarizeCertificateFile, notarize),
    bind(operations.listCertificates, listCertificates),
    bind(operations.countCertificates, countCertificates),
    bind(operations.readCertificate, readCertificate),
    bind(operations.readCertificateLife, readCertificateLife),
    bind(operations.readCertificateJson, readCertificateJson),
    bind(operations.readCertificatePdf, readCertificatePdf),
    bind(operations.mailCertificateAgain, mailCertificateAgain),
    bind(operations.releaseCertificate, releaseCertificate),
    bind(operations.refuseCertificate, refuseCertificate),
    bind(operations.withdrawCertificate, withdrawCertificate),
    bind(operations.replaceCertificate, replaceCertificate),
  ]
}
