#!/usr/bin/env -S node --disable-proto=delete --max-semi-space-size=8 --disable-warning=ExperimentalWarning
import { millseal } from './index.ts'

process.exitCode = await millseal(process.argv.slice(2), process.env)
