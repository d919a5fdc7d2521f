import type { Certificate } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { fileNameOf, saveFile } from '../../../ui/save-file.ts'
import { Problem } from '../../../ui/problem.tsx'
import { numberOf } from '../data/number.ts'
import { PdfButton } from './downloads.tsx'
import { pdfQuery, previewQuery } from './queries.ts'

/** The PDF as the receiver gets it, if the browser can show PDFs. */
export const Paper = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { company } = useHere()
  const { state, id } = certificate
  const isWaiting = state === 'awaitingRelease'
  const pdf = useQuery({ ...pdfQuery({ company, id }), enabled: state === 'notarized' })
  const preview = useQuery({ ...previewQuery({ company, id }), enabled: isWaiting })
  const { data, error, refetch } = isWaiting ? preview : pdf
  const address = useAddressOf(data)
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (state === 'failed') return <Blank text={t.paperFailed} />
  if (state !== 'notarized' && !isWaiting) return <Blank text={t.paperPending} />
  if (data === null) return <Blank text={t.paperErased} />
  if (data === undefined) return <Blank text="" />
  if (!navigator.pdfViewerEnabled)
    return (
      <Blank text={t.paperElsewhere}>
        {isWaiting ? (
          <Button onPress={() => saveFile(`${fileNameOf(numberOf(certificate))}.pdf`, data)}>
            {t.openPdf}
          </Button>
        ) : (
          <PdfButton certificate={certificate} />
        )}
      </Blank>
    )
  return address === undefined ? (
    <Blank text="" />
  ) : (
    <iframe
      className="paper"
      src={`${address}#toolbar=0&navpanes=0&view=FitH`}
      title={t.paperTitle(numberOf(certificate))}
    />
  )
}

const Blank = ({ text, children }: { readonly text: string; readonly children?: ReactNode }) => (
  <div className="paper blank">
    <p>{text}</p>
    {children}
  </div>
)

/** An address for bytes while something shows them. */
const useAddressOf = (content: Blob | null | undefined): string | undefined => {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (content === null || content === undefined) return undefined
    const made = URL.createObjectURL(content)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return address
}
