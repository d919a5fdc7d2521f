import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findSealHole } from '@millseal/proof'
import { installPackage, lacksPackage, mayInstall } from './debian-package.ts'
import { keep, keptFolder } from './kept-build.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)

export const lacksPdfsig = (): Promise<string | false> =>
  lacksPackage({ name: 'poppler-utils', file: '/usr/bin/pdfsig' })

/** Poppler: what it prints about the signatures of a PDF, without looking at who issued their certificates. */
export const judgeByPdfsig = async (pdf: string): Promise<string> =>
  (await run('pdfsig', ['-nocert', pdf])).stdout

/** OpenSSL: whether the signature is that of a certificate below this root, about the bytes around it, and of CAdES. */
export const judgeByOpenssl = async (pdf: Uint8Array, root: string): Promise<boolean> => {
  await using place = await makeTemporaryFolder()
  const hole = findSealHole(pdf)
  if (hole === undefined) return false
  const [signature, content] = [join(place.path, 'signature'), join(place.path, 'content')]
  await writeFile(signature, Buffer.from(hole.digits, 'hex'))
  await writeFile(content, Buffer.concat([hole.before, hole.after]))
  const given = ['-inform', 'DER', '-in', signature, '-content', content, '-CAfile', root]
  const options = ['cms', '-verify', '-binary', '-cades', '-purpose', 'any', ...given, '-out', '/dev/null']
  return await run('openssl', options).then(
    () => true,
    () => false,
  )
}

const version = '6.3'
const artifacts = [
  'pades-pdfbox',
  'validation',
  'utils-apache-commons',
  'crl-parser-stream',
  'policy-jaxb',
  'cms-object',
]
const project = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>test</groupId><artifactId>test</artifactId><version>1</version><dependencies>
${artifacts
  .map(
    (name) =>
      `<dependency><groupId>eu.europa.ec.joinup.sd-dss</groupId><artifactId>dss-${name}</artifactId><version>${version}</version></dependency>`,
  )
  .join('\n')}
</dependencies></project>`

const folder = keptFolder('eu-dss', version)

/** Why the validator of the European Commission is missing here, or false. CI gets it by Maven, so nothing is skipped there. */
export const lacksDss = async (): Promise<string | false> => {
  if (!existsSync(folder) && mayInstall) {
    installPackage({ name: 'default-jdk-headless maven', file: '/usr/bin/mvn' })
    await keep(folder, getByMaven)
  }
  return existsSync(folder) ? false : `EU DSS is not in ${folder}`
}

const getByMaven = async (unfinished: string): Promise<void> => {
  await writeFile(join(unfinished, 'pom.xml'), project)
  const copy = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${join(unfinished, 'lib')}`]
  await run('mvn', copy, { cwd: unfinished })
}

/** Without the optimising compiler and its threads, a third less processor time. */
const forShortRuns = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** A line for each signature: indication, why not, format, signer, and how many time stamps. */
export const judgeByDss = async (
  pdfs: readonly string[],
  { trusted, revoked }: { readonly trusted: readonly string[]; readonly revoked: string },
): Promise<readonly string[]> => {
  const jars = (await readdir(join(folder, 'lib'))).map((jar) => join(folder, 'lib', jar)).join(':')
  const program = join(import.meta.dirname, 'seal-judge.java')
  const given = [...forShortRuns, '-cp', jars, program, revoked, ...trusted, '--', ...pdfs]
  return (await run('java', given)).stdout.trim().split('\n')
}
