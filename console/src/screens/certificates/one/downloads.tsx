import type { Certificate } from '@millseal/contract'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice, Problem } from '../../../ui/problem.tsx'
import { verifyAddressOf } from '../data/code.ts'
import { numberOf } from '../data/number.ts'
import { fileNameOf, saveFile } from '../../../ui/save-file.ts'
import { jsonQuery, pdfQuery } from './queries.ts'

type Props = { readonly certificate: Certificate }

const extensions = { pdf: '.pdf', json: '.json', bundle: '.proof.json' } as const
type Kind = keyof typeof extensions

/** Saves a file of a certificate under its number. */
const useSave = (certificate: Certificate) => {
  const { company } = useHere()
  const { id, hash, mode } = certificate
  const read = async (kind: Kind): Promise<Blob | null> => {
    if (kind === 'pdf') return queryClient.fetchQuery(pdfQuery({ company, id }))
    if (kind === 'json') return queryClient.fetchQuery(jsonQuery({ company, id }))
    const bundle = await api.readProof({ params: { hash: hash.value }, query: { mode, format: 3 } })
    return new Blob([JSON.stringify(bundle, undefined, 2)], { type: 'application/json' })
  }
  return useMutation({
    mutationFn: async (kind: Kind): Promise<boolean> => {
      const content = await read(kind)
      if (content !== null) saveFile(`${fileNameOf(numberOf(certificate))}${extensions[kind]}`, content)
      return content !== null
    },
  })
}

/** The most frequent action. */
export const PdfButton = ({ certificate }: Props) => {
  const t = useTexts('certificates')
  const save = useSave(certificate)
  if (certificate.state !== 'notarized') return null
  return (
    <Button kind="primary" isPending={save.isPending} onPress={() => save.mutate('pdf')}>
      {t.openPdf}
    </Button>
  )
}

export const Downloads = ({ certificate }: Props) => {
  const t = useTexts('certificates')
  const save = useSave(certificate)
  const isRecorded = certificate.state === 'notarized'
  return (
    <>
      <div className="row">
        <Button isPending={save.isPending && save.variables === 'json'} onPress={() => save.mutate('json')}>
          {t.json}
        </Button>
        {isRecorded && (
          <>
            <Button
              isPending={save.isPending && save.variables === 'bundle'}
              onPress={() => save.mutate('bundle')}
            >
              {t.bundle}
            </Button>
            <CopyLink hash={certificate.hash.value} />
          </>
        )}
      </div>
      {save.error !== null && <Problem error={save.error} />}
      {save.data === false && <Notice kind="warn">{t.dataErased}</Notice>}
      {isRecorded && <p className="muted">{t.bundleHint}</p>}
    </>
  )
}

const CopyLink = ({ hash }: { readonly hash: string }) => {
  const t = useTexts('certificates')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(verifyAddressOf(hash))
    setCopied(true)
  }
  return <Button onPress={() => void copy()}>{isCopied ? t.copiedLink : t.copyLink}</Button>
}

/** Leads to the certificate that counts in its place. */
export const ReplacementLink = ({ id }: { readonly id: string }) => {
  const t = useTexts('certificates')
  return (
    <Link to="/certificates/$id" params={{ id }}>
      {t.toReplacement}
    </Link>
  )
}
