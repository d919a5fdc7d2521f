import type { NodeCompiler, NodeTypstCompileResult } from '@myriaddreamin/typst-ts-node-compiler'
import { nowhere } from './compiler.ts'

const maxMessages = 5

type Diagnostic = {
  readonly message?: unknown
  readonly path?: unknown
  readonly range?: { readonly start?: { readonly line?: unknown } } | null
}

/**
 * The messages of the engine about a document that does not compile: with line numbers, without paths of the machine.
 */
export const diagnosticsOf = (compiler: NodeCompiler, compiled: NodeTypstCompileResult): string[] => {
  const found = compiled.takeDiagnostics()
  if (found === null) return ['The engine produced no document and gave no reason']
  const diagnostics = compiler.fetchDiagnostics(found) as readonly Diagnostic[]
  return diagnostics.slice(0, maxMessages).map(({ message, path, range }) => {
    const line = range?.start?.line
    const place = typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : ''
    return `${place}${typeof line === 'number' ? `:${line + 1}` : ''}: ${withoutPaths(String(message))}`
  })
}

/** Errors of the PDF export arrive as debug text of the engine. */
export const exportDiagnostics = (error: unknown): string[] => {
  const messages = [...String(error).matchAll(/message: "((?:[^"\\]|\\.)*)"/gu)].map(([, message]) =>
    withoutPaths(message ?? ''),
  )
  return messages.length === 0 ? [withoutPaths(String(error)).slice(0, 300)] : messages.slice(0, maxMessages)
}

const withoutPaths = (message: string): string => message.replaceAll(nowhere, '')
