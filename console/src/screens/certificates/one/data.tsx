import type { Certificate } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Facts, Fold } from '../../../ui/screen.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { identitiesQuery, useIdentityName } from '../data/identities.ts'
import { kindOf, useKindName } from '../data/kind.ts'
import { jsonQuery } from './queries.ts'

/** The content of the certificate: its main facts, and all of it folded. */
export const Data = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { date } = useFormats()
  const kindName = useKindName()
  const identity = useIdentity(certificate)
  const { summary = {}, refSchemaUrl, retainedUntil } = certificate
  const version = kindOf(refSchemaUrl)?.version
  const joined = (...parts: readonly (string | undefined)[]) =>
    parts.filter((part) => part !== undefined).join(' / ')
  return (
    <>
      <Facts
        facts={[
          [t.fields.kind, `${kindName(refSchemaUrl)}${version === undefined ? '' : ` ${version}`}`],
          [t.fields.seller, summary.sellerName],
          [t.fields.buyer, summary.buyerName],
          [t.fields.product, summary.productDescription],
          [t.fields.order, joined(summary.orderNumber, summary.orderPosition)],
          [t.fields.delivery, joined(summary.deliveryNumber, summary.deliveryPosition)],
          [t.fields.identity, identity],
          [t.fields.retained, retainedUntil === undefined ? undefined : date(retainedUntil)],
        ]}
      />
      <AllData certificate={certificate} />
    </>
  )
}

const useIdentity = ({ identity, owner, mode }: Certificate): string | undefined => {
  const { company, may } = useHere()
  const identityName = useIdentityName()
  const { data } = useQuery({
    ...identitiesQuery({ company, mode }),
    enabled: owner === company && may('listIdentities'),
  })
  const known = data?.find(({ id }) => id === identity)
  return known === undefined ? undefined : identityName(known)
}

const AllData = ({ certificate: { id } }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { company } = useHere()
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({ ...jsonQuery({ company, id }), enabled: isOpen })
  const text = useTextOf(data)
  return (
    <Fold title={t.dataAll} onOpen={() => setOpen(true)}>
      {error !== null && <Problem error={error} />}
      {data === null ? (
        <p>{t.dataErased}</p>
      ) : (
        <pre className="json mono" tabIndex={0}>
          {text}
        </pre>
      )}
    </Fold>
  )
}

/** Pictures and attached files would fill pages. */
const longText = /"([^"\\]{60})[^"\\]{400,}"/g

const useTextOf = (content: Blob | null | undefined): string => {
  const [text, setText] = useState('')
  useEffect(() => {
    const show = async () => {
      if (content === null || content === undefined) return
      const parsed: unknown = JSON.parse(await content.text())
      setText(JSON.stringify(parsed, undefined, 2).replaceAll(longText, '"$1 …"'))
    }
    void show()
  }, [content])
  return text
}
