import tokens from '../look/tokens.css?inline'
import look from './style.css?inline'
import { actionsOf } from './actions.ts'
import { type Address, addressOf, serverOf } from './address.ts'
import { addressIn, barcodeDetector, scan } from './camera.ts'
import { bodyOf, headlineIn } from './card.ts'
import { createChecker } from './checker.ts'
import { h } from './dom.ts'
import { droppedFiles } from './dropped.ts'
import { notice, noticesOf } from './given.ts'
import { type Mode, type Result, sayOf } from './judge.ts'
import { listOf } from './list.ts'
import { hasOwnPolicy, ownTrustOf, readingOf } from './own-trust.ts'
import { type Coded, lookUp } from './paper.ts'
import { nodesOf } from './nodes.ts'
import { paperOf, unreadPaper } from './paper-view.ts'
import { pictureOf } from './picture.ts'
import { type Named, type NamedPolicy, namedFile, policyOf } from './read-file.ts'
import { serviceAt } from './service.ts'
import { skeletonOf, type Skeleton } from './skeleton.ts'
import { languageOf, textsIn } from './texts/languages.ts'
import type { Texts } from './texts/texts.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(tokens + look)
const pageSheet = new CSSStyleSheet()
pageSheet.replaceSync('body{margin:0;background:light-dark(#f3f5f7,#0f171d)}')

type Found = { readonly list: readonly Coded[] } | { readonly error: unknown }

/**
 * Verifies certificates in the browser: `<millseal-verify server lang mode code hash>`. With `page`, it is the whole
 * page: it reads the hash in the address, and takes files that are dropped anywhere.
 */
export class MillsealVerify extends HTMLElement {
  static readonly observedAttributes = ['server', 'lang', 'mode', 'code', 'hash']

  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #checker = createChecker()
  #parts: Skeleton | undefined
  #texts: Texts = textsIn('en')
  #results: readonly Result[] = []
  #found: Promise<Found> | undefined
  #latest = 0
  #picture: string | undefined
  #camera: AbortController | undefined
  #leaving: AbortController | undefined

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [sheet]
    this.#leaving = new AbortController()
    const { signal } = this.#leaving
    const area = this.#isPage ? document : this
    area.addEventListener('dragover', (event) => event.preventDefault(), { signal })
    area.addEventListener('drop', (event) => this.#drop(event as DragEvent), { signal })
    if (this.#isPage) document.adoptedStyleSheets = [pageSheet]
    if (this.#isPage) window.addEventListener('hashchange', () => this.#scanned(), { signal })
    this.#draw()
    this.#scanned()
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    this.#camera?.abort()
    this.#latest += 1
    if (this.#picture !== undefined) URL.revokeObjectURL(this.#picture)
  }

  attributeChangedCallback(name: string): void {
    if (this.#parts === undefined) return
    if (name === 'lang') this.#draw()
    else if (name !== 'mode') this.#scanned()
    else if (this.#checker.hasFiles()) void this.#run()
  }

  get #isPage(): boolean {
    return this.hasAttribute('page')
  }

  get #server(): string | undefined {
    return serverOf(this)
  }

  get #mode(): Mode {
    return this.getAttribute('mode') === 'test' ? 'test' : 'live'
  }

  get #address(): Address {
    return addressOf(this, this.#isPage)
  }

  /** Draws everything in the language of the reader. */
  #draw(): void {
    const language = languageOf(this.getAttribute('lang'))
    this.#texts = textsIn(language)
    if (this.#isPage) {
      document.documentElement.lang = language
      document.title = `${this.#texts.title} · Millseal`
    }
    this.#parts = skeletonOf(this.#texts, {
      language,
      isPage: this.#isPage,
      isOnline: this.#server !== undefined,
      choose: (files) => void this.#take([...files].map(namedFile)),
      choosePolicy: hasOwnPolicy(this) ? undefined : ([file]) => void this.#choosePolicy(file),
      chooseLanguage: (chosen) => this.#speak(chosen),
      camera: barcodeDetector() === undefined ? undefined : () => void this.#toggleCamera(),
    })
    this.#root.replaceChildren(this.#parts.root)
    this.#showPaper()
    this.#showGiven()
    if (this.#results.length > 0) this.#show(this.#results)
  }

  /** The files and their verdicts stay; the server remembers the choice for its other pages. */
  #speak(language: string): void {
    this.lang = language
    const accept = 'text/html'
    if (this.#server !== undefined)
      void fetch(`/?language=${language}`, { headers: { accept } }).catch(String)
  }

  /** Looks up the code or hash of the address, and compares the files with it. */
  #scanned(): void {
    this.#found = undefined
    this.#showPaper()
    if (this.#checker.hasFiles()) void this.#run()
  }

  /** An answer is remembered; after a failure, the next call asks again. */
  #findPaper(): Promise<Found> {
    const server = this.#server
    const { code, hash } = this.#address
    if (server === undefined || (code === undefined && hash === undefined))
      return Promise.resolve({ list: [] })
    this.#found ??= lookUp(serviceAt(server), { code, hash })
      .then((list) => ({ list }))
      .catch((error: unknown) => {
        this.#found = undefined
        return { error }
      })
    return this.#found
  }

  #showPaper(): void {
    const { paper } = this.#parts ?? {}
    const server = this.#server
    const { code, hash } = this.#address
    paper?.replaceChildren()
    if (paper === undefined || server === undefined || (code === undefined && hash === undefined)) return
    paper.append(h('p', {}, this.#texts.lookingUp))
    void this.#findPaper().then((found) => {
      if ('error' in found) {
        paper.replaceChildren(...unreadPaper(this.#texts, sayOf(found.error)(this.#texts)))
        return
      }
      paper.replaceChildren(...paperOf(this.#texts, found.list, server))
    })
  }

  async #hashes(): Promise<readonly string[] | undefined> {
    const { code, hash } = this.#address
    if (code === undefined) return hash === undefined ? undefined : [hash]
    const found = await this.#findPaper()
    if ('error' in found) throw found.error
    return found.list.map((one) => one.hash.value)
  }

  #drop(event: DragEvent): void {
    event.preventDefault()
    if (event.dataTransfer !== null) void droppedFiles(event.dataTransfer).then((files) => this.#take(files))
  }

  async #take(files: readonly Named[]): Promise<void> {
    if (files.length > 0) await this.#run(files)
  }

  async #choosePolicy(file: File | undefined): Promise<void> {
    if (file === undefined) return
    try {
      await this.#use(await policyOf(namedFile(file)))
    } catch (error) {
      this.#parts?.given.replaceChildren(notice(sayOf(error)(this.#texts)))
    }
  }

  async #use(policy: NamedPolicy | undefined): Promise<void> {
    this.#checker.use(policy)
    this.#showGiven()
    if (this.#checker.hasFiles()) await this.#run()
  }

  /** Shows results only if the files, the mode and the code are still the chosen ones. */
  async #run(files: readonly Named[] = []): Promise<void> {
    this.#latest += 1
    const run = this.#latest
    const isLatest = (): boolean => run === this.#latest
    const progress = (done: number): void => {
      if (isLatest()) this.#parts?.progress.replaceChildren(this.#texts.nowChecking(done))
    }
    if (this.#parts !== undefined) this.#parts.result.hidden = true
    await this.#checker.read(files, progress)
    const server = this.#server
    const results = await this.#checker.check(
      {
        mode: this.#mode,
        server,
        service: server === undefined ? undefined : serviceAt(server),
        holders: nodesOf(this),
        own: (keys) => ownTrustOf(this, keys),
        scanned: () => this.#hashes(),
        reading: readingOf(this),
      },
      progress,
    )
    if (!isLatest()) return
    this.#parts?.progress.replaceChildren()
    this.#showGiven()
    this.#show(results)
    this.#parts?.verdict.focus({ preventScroll: true })
    this.#parts?.result.scrollIntoView({ block: 'start' })
  }

  #showGiven(): void {
    const given = { ...this.#checker.given(), hasFiles: this.#checker.hasFiles() }
    const use = (policy: NamedPolicy | undefined): void => void this.#use(policy)
    this.#parts?.given.replaceChildren(...noticesOf(this.#texts, given, hasOwnPolicy(this) ? undefined : use))
  }

  #show(results: readonly Result[]): void {
    this.#results = results
    const [first] = results
    const { result, verdict, why, body } = this.#parts ?? {}
    if (first === undefined || result === undefined) return
    const texts = this.#texts
    const isOne = results.length === 1
    const headline = isOne
      ? headlineIn(texts, first)
      : { tone: 'none', says: texts.filesChecked(results.length), why: '' }
    result.dataset['verdict'] = headline.tone
    verdict?.replaceChildren(headline.says)
    why?.replaceChildren(headline.why)
    body?.replaceChildren(
      ...(isOne ? bodyOf(texts, first) : listOf(texts, results)),
      actionsOf(texts, { results, again: () => this.#parts?.file.click() }),
      ...this.#pictureOf(first),
    )
    result.hidden = false
  }

  /** The paper itself on a page of ours: the policy of another site may forbid frames. */
  #pictureOf({ paper }: Result): readonly HTMLElement[] {
    if (this.#picture !== undefined) URL.revokeObjectURL(this.#picture)
    this.#picture = undefined
    if (!this.#isPage || paper?.pdf === undefined) return []
    this.#picture = URL.createObjectURL(new Blob([paper.pdf], { type: 'application/pdf' }))
    return [pictureOf(paper.pdf, this.#picture, this.#texts.pictureTitle)]
  }

  async #toggleCamera(): Promise<void> {
    const parts = this.#parts
    const Detector = barcodeDetector()
    if (parts === undefined || Detector === undefined) return
    if (this.#camera !== undefined) {
      this.#camera.abort()
      return
    }
    this.#camera = new AbortController()
    try {
      const seen = await scan(Detector, { place: parts.video, signal: this.#camera.signal })
      if (seen !== undefined) this.#seen(seen, parts)
    } catch {
      parts.video.replaceChildren(notice(this.#texts.cameraHint))
    } finally {
      this.#camera = undefined
    }
  }

  #seen(text: string, { video }: Skeleton): void {
    const address = addressIn(text)
    if (address === undefined || address.host !== new URL(this.#server ?? document.baseURI).host) {
      // A code of another service, or of something else: show its text to the reader.
      video.replaceChildren(notice(text.slice(0, 200)))
      return
    }
    const { code, hash } = address
    if (code === undefined) this.removeAttribute('code')
    else this.setAttribute('code', code)
    if (hash !== undefined) this.setAttribute('hash', hash)
  }
}
