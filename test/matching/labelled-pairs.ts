import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type LabelledPair, parsePairs } from './parse-pairs.ts'

const DATA = new URL('data/', import.meta.url)

const readPairs = (file: string) => parsePairs(readFileSync(new URL(file, DATA), 'utf8'), file.replace('.txt', ''))

/** Every other file of `data` shows one difficulty. Most files have more pairs of one label. */
const PUBLIC = 'public.txt'
const kinds = readdirSync(DATA).filter((file) => file !== PUBLIC)

/**
 * Pairs of real games, written before the matcher was. One rule set decides `isSame`: would one catalogue entry hold both?
 *
 * The same:
 * - the title in another spelling, script, language, numeral style, abbreviation or word order, with a brand or subtitle
 *   left out, mistyped, or followed by a platform or year that only says which game is meant;
 * - the title of another region, also where it carries the number of another game (Final Fantasy III of 1994 is VI);
 * - the same game released again under its title: later, elsewhere, on more platforms, by another publisher, out of early access;
 * - an edition that adds packaging or add-ons alone: Game of the Year, Complete, Ultimate, Gold, Deluxe, a budget line.
 *
 * Different:
 * - another part of a series: sequel, prequel, spin-off, season of a sport, episode, chapter;
 * - a reboot, remake or remaster against its original, also under an identical name, and against each other;
 * - an enhanced version under a title of its own (Persona 4 Golden), and each of twin versions (Pokémon Red and Blue);
 * - a port that was made anew and is an entry of type Port;
 * - DLC, expansion, mod, update, episode, fan disc, demo or prologue against the game, and against each other;
 * - a bundle against its members and other bundles;
 * - other games of the same or nearly the same name.
 */
export const labelledPairs = kinds.toSorted().flatMap(readPairs)

/** Pairs from public reports of other systems, collected after the matcher was written. A pair may have several difficulties. */
export const publicPairs = readPairs(PUBLIC)

// The salt halves every kind fairly. It was chosen by kinds and labels, without any score.
const SALT = 'half 16163'

/** True for a pair that is kept from tuning. Its id alone decides, so that a new pair moves no other. */
function isHeldOut({ id }: Pick<LabelledPair, 'id'>): boolean {
  return createHash('sha256').update(`${SALT} ${id}`).digest().readUInt8(0) >= 128
}

export const tuningPairs = labelledPairs.filter((pair) => !isHeldOut(pair))
export const heldOutPairs = labelledPairs.filter(isHeldOut)
