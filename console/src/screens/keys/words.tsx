import { useBlocker } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Actions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import type { Shown } from './shown-words.ts'
import { refreshKeys } from './keys-queries.ts'

type Props = { readonly shown: Shown; readonly onProved: () => void }

const asked = 3

/** Different places, in order, from 0. */
const drawPlaces = (count: number): readonly number[] => {
  const places = new Set<number>()
  while (places.size < Math.min(asked, count)) {
    const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
    places.add(drawn % count)
  }
  return [...places].toSorted((one, other) => one - other)
}

/** Shows the words of a wallet, then asks for three of them. */
export const Words = ({ shown, onProved }: Props) => {
  const words = shown.words.split(/\s+/)
  const [places, setPlaces] = useState<readonly number[]>()
  return (
    <>
      {places === undefined ? (
        <Page words={words} onWritten={() => setPlaces(drawPlaces(words.length))} />
      ) : (
        <Question
          shown={shown}
          words={words}
          places={places}
          onAgain={() => setPlaces(undefined)}
          onProved={onProved}
        />
      )}
      <Leaving />
    </>
  )
}

const Page = ({
  words,
  onWritten,
}: {
  readonly words: readonly string[]
  readonly onWritten: () => void
}) => {
  const t = useTexts('keys').words
  return (
    <Card title={t.title}>
      <p>{t.text}</p>
      <ol className="words" translate="no">
        {words.map((word, index) => (
          // A word may occur twice; its place identifies it.
          <li key={index}>{word}</li>
        ))}
      </ol>
      <div className="row">
        <Button kind="primary" onPress={onWritten}>
          {t.written}
        </Button>
      </div>
    </Card>
  )
}

type QuestionProps = Props & {
  readonly words: readonly string[]
  readonly places: readonly number[]
  readonly onAgain: () => void
}

const Question = ({ shown, words, places, onAgain, onProved }: QuestionProps) => {
  const t = useTexts('keys').words
  const { company, mode } = useHere()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<readonly string[]>(places.map(() => ''))
  const [isTried, setTried] = useState(false)
  const [error, setError] = useState<unknown>()
  const isRight = (place: number, at: number) => typed[at]?.trim().toLowerCase() === words[place]
  const check = async () => {
    setTried(true)
    setError(undefined)
    if (!places.every(isRight)) return
    try {
      if (!shown.isMarked) await api.backUpWallet({ company, query: { mode }, params: { id: shown.wallet } })
      await refreshKeys(queries)
      onProved()
    } catch (cause) {
      setError(cause)
    }
  }
  return (
    <Card title={t.askTitle}>
      <Form
        action={t.check}
        isDisabled={typed.includes('')}
        onSubmit={() => void check()}
        beside={<Button onPress={onAgain}>{t.showAgain}</Button>}
      >
        <p className="muted">{t.askText}</p>
        <div className="pair">
          {places.map((place, at) => (
            <TextField
              key={place}
              label={t.word(place + 1)}
              value={typed[at] ?? ''}
              onChange={(text) => {
                setTried(false)
                setTyped(typed.with(at, text))
              }}
              autoComplete="off"
              autoCorrect="off"
              spellCheck="false"
              autoFocus={at === 0}
              problem={isTried && !isRight(place, at) ? t.wrong(place + 1) : undefined}
            />
          ))}
        </div>
        {error !== undefined && <Problem error={error} title={t.notMarked} onRetry={() => void check()} />}
      </Form>
    </Card>
  )
}

/** Asks before the words are forgotten. */
const Leaving = () => {
  const t = useTexts('keys').words
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: () => true,
    enableBeforeUnload: true,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Modal title={t.leaveTitle} role="alertdialog" onClose={() => reset()}>
      <p>{t.leaveText}</p>
      <Actions>
        <Button kind="danger" onPress={() => proceed()}>
          {t.leave}
        </Button>
        <Button kind="primary" autoFocus onPress={() => reset()}>
          {t.stay}
        </Button>
      </Actions>
    </Modal>
  )
}
