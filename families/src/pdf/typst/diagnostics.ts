import type { NodeCompiler, NodeTypstCompileResult } from '@myriaddreamin/typst-ts-node-compiler'
import { nowhere } from './compiler.ts'

const most = 5

type Diagnostic = {
  readonly message?: unknown
  readonly path?: unknown
  readonly range?: { readonly start?: { readonly line?: unknown } } | null
}

/** What the engine says of a document that does not compile, with the line of the layout but no path of the machine. */
export const diagnosticsOf = (compiler: NodeCompiler, compiled: NodeTypstCompileResult): string[] => {
  const found = compiled.takeDiagnostics()
  if (found === null) return ['The engine made no document and does not say why']
  const diagnostics = compiler.fetchDiagnostics(found) as readonly Diagnostic[]
  return diagnostics.slice(0, most).map(({ message, path, range }) => {
    const line = range?.start?.line
    const place = typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : ''
    return `${place}${typeof line === 'number' ? `:${line + 1}` : ''}: ${withoutPaths(String(message))}`
  })
}

/** Errors of the export come as text of the engine's own structures. */
export const exportDiagnostics = (error: unknown): string[] => {
  const messages = [...String(error).matchAll(/message: "((?:[^"\\]|\\.)*)"/gu)].map(([, message]) =>
    withoutPaths(message ?? ''),
  )
  return messages.length === 0 ? [withoutPaths(String(error)).slice(0, 300)] : messages.slice(0, most)
}

const withoutPaths = (message: string): string => message.replaceAll(nowhere, '')
