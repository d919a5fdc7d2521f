import type { PackImport } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTexts } from '../../texts/catalog.ts'
import { useServerWords } from '../../texts/server-words.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { clientWithProgress } from './send-with-progress.ts'
import { Table } from '../../ui/list/table.tsx'

const maxBytes = 32 * 1024 * 1024

const typeOf = ({ name }: File): string | undefined => {
  if (/\.zip$/i.test(name)) return 'application/zip'
  return /\.(?:tgz|gz)$/i.test(name) ? 'application/gzip' : undefined
}

const useUpload = () => {
  const queries = useQueryClient()
  const [share, setShare] = useState(0)
  const stopper = useRef<AbortController>(undefined)
  const mutation = useMutation({
    mutationFn: (archive: Blob) => {
      setShare(0)
      stopper.current = new AbortController()
      const { signal } = stopper.current
      return clientWithProgress(setShare).importPack({ document: archive, signal })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['operator', 'packs'] }),
  })
  const stop = () => {
    stopper.current?.abort()
    mutation.reset()
  }
  return { ...mutation, share, stop }
}

export const UploadPack = () => {
  const t = useTexts('operator').schemas
  const { bytes } = useFormats()
  const [problem, setProblem] = useState<string>()
  const { mutate, data, error, isPending, share, stop, reset } = useUpload()
  const take = (file: File | undefined) => {
    if (file === undefined) return
    reset()
    const type = typeOf(file)
    const tooLarge = file.size > maxBytes ? t.tooLarge(bytes(file.size)) : undefined
    const wrong = type === undefined ? t.wrongKind : tooLarge
    setProblem(wrong)
    // Sent as plain bytes, because the name of the file does not matter.
    if (wrong === undefined && type !== undefined) mutate(new Blob([file], { type }))
  }
  return (
    <Card title={t.upload}>
      <p className="muted">{t.uploadText}</p>
      {isPending ? (
        <Progress share={share} onStop={stop} />
      ) : (
        <div className="row">
          <FileTrigger
            acceptedFileTypes={['.zip', '.gz', '.tgz']}
            onSelect={(files) => take(files?.item(0) ?? undefined)}
          >
            <Button kind="primary">{t.choose}</Button>
          </FileTrigger>
        </div>
      )}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {error !== null && !isPending && <Problem error={error} title={t.failed} />}
      {data !== undefined && <Outcome outcome={data} />}
    </Card>
  )
}

const Progress = ({ share, onStop }: { readonly share: number; readonly onStop: () => void }) => {
  const t = useTexts('operator').schemas
  const { number } = useFormats()
  const label = share < 1 ? t.sending(`${number(Math.round(share * 100))} %`) : t.checking
  return (
    <div className="row" role="status">
      <progress aria-label={t.upload} {...(share < 1 && { value: share })} />
      <span>{label}</span>
      <Button onPress={onStop}>{t.stop}</Button>
    </div>
  )
}

const Outcome = ({ outcome: { schemas, refused } }: { readonly outcome: PackImport }) => {
  const t = useTexts('operator').schemas
  const inWords = useServerWords()
  return (
    <>
      <Notice kind={refused.length === 0 ? 'good' : 'warn'}>
        <p>
          <strong>{t.taken(schemas.length)}.</strong>{' '}
          {refused.length > 0 && <strong>{t.refused(refused.length)}.</strong>}
        </p>
      </Notice>
      {refused.length > 0 && (
        <Table
          label={t.refusedTable}
          columns={[t.file, t.reasons]}
          lines={refused.map(({ file, reasons, because }) => ({
            id: file,
            cells: [
              <span className="mono">{file}</span>,
              reasons.map((reason, at) => inWords(reason, because?.slice(at, at + 1))).join('; '),
            ],
          }))}
        />
      )}
    </>
  )
}
