import type { Certificate } from '@millseal/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useHere } from '../../shell/here.ts'
import { certificateQuery } from '../../api/certificate.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Card, Screen as Frame } from '../../ui/screen.tsx'
import { addresses } from './data/addresses.ts'
import { CertificateState } from './data/certificate-state.tsx'
import { useKindName } from './data/kind.ts'
import { NoCompany } from './data/no-company.tsx'
import { numberOf } from './data/number.ts'
import { useModeOf } from './data/use-mode-of.ts'
import { Data } from './one/data.tsx'
import { Downloads, PdfButton } from './one/downloads.tsx'
import { Life } from './one/life.tsx'
import './one/one.css'
import { MailAgain } from './one/mail-again.tsx'
import { Paper } from './one/paper.tsx'
import { Proof } from './one/proof.tsx'
import { Release } from './one/release.tsx'
import { Withdraw } from './one/withdraw.tsx'

/** Read after the certificate itself. */
const Check = lazy(async () => ({ default: (await import('./one/check.tsx')).Check }))

export const Screen = () => {
  const { membership } = useHere()
  return membership === undefined ? <NoCompany /> : <One company={membership.company.id} />
}

const One = ({ company }: { readonly company: string }) => {
  const t = useTexts('certificates')
  const { id = '' } = useParams({ strict: false })
  const { data: certificate } = useSuspenseQuery(certificateQuery({ company, id }))
  useModeOf(certificate)
  const { may } = useHere()
  const isOwn = certificate.owner === company
  const number = numberOf(certificate)
  return (
    <Frame
      title={number}
      aside={
        <>
          <CertificateState certificate={certificate} />
          <Aside certificate={certificate} isOwn={isOwn} />
        </>
      }
      actions={<Acts certificate={certificate} isOwn={isOwn} />}
    >
      <div className="split one">
        <div className="stack">
          <Paper certificate={certificate} />
          <Card title={t.data}>
            <Data certificate={certificate} />
          </Card>
        </div>
        <div className="stack">
          {isOwn && (
            <Card title={t.life}>
              <Life certificate={certificate} />
              <MailAgain certificate={certificate} />
            </Card>
          )}
          <Card title={t.proves}>
            <Proof certificate={certificate} />
          </Card>
          {may('checkCertificate') && certificate.state === 'notarized' && (
            <Suspense>
              <Check certificate={certificate} />
            </Suspense>
          )}
          <Card title={t.downloads}>
            <Downloads certificate={certificate} />
          </Card>
        </div>
      </div>
    </Frame>
  )
}

type Props = { readonly certificate: Certificate; readonly isOwn: boolean }

const Aside = ({ certificate: { refSchemaUrl, summary }, isOwn }: Props) => {
  const kindName = useKindName()
  const party = isOwn ? summary?.buyerName : summary?.sellerName
  const words = [kindName(refSchemaUrl), party].filter((word) => word !== undefined)
  return <span className="muted">{words.join(' · ')}</span>
}

const Acts = ({ certificate, isOwn }: Props) => {
  const t = useTexts('certificates')
  const { may } = useHere()
  const isCorrectable = isOwn && certificate.state === 'notarized' && certificate.withdrawn !== true
  return (
    <>
      {isOwn && may('notarizeCertificate') && (
        <Link to={addresses.form} search={{ from: certificate.id }} className="button">
          {t.useAsTemplate}
        </Link>
      )}
      {isCorrectable && may('withdrawCertificate') && <Withdraw certificate={certificate} />}
      {isCorrectable && may('replaceCertificate') && (
        <Link to={addresses.replace} params={{ id: certificate.id }} className="button">
          {t.replace}
        </Link>
      )}
      {isOwn && <Release certificate={certificate} />}
      <PdfButton certificate={certificate} />
    </>
  )
}
