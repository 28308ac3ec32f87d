#!/usr/bin/env bun
import { processTerminal } from '../base/terminal.ts';
import { runCommandLine } from './command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal);
