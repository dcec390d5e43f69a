/** What a path says a file is for. Ranking and the history chunker both ask: tests and prose are seldom what is meant. */

const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|testdata|fixtures?|mocks?|__mocks__|e2e)\/|(?:^|\/)(?:test_|conftest)|[._-](?:test|tests|spec|bench)\.|(?:Test|Tests|Spec|IT)\.(?:java|kt|cs|scala|swift|php)$|_test\.\w+$/
const DOCUMENTATION = /\.(?:md|mdx|rst|txt|adoc)$|(?:^|\/)(?:docs?|documentation)\//i
/** Directories count only where no code would stand below them: `changelog/`, `CHANGES/123.fix`, `docs/releases/`. */
const CHANGELOG =
  /(?:^|\/)(?:changelogs?|changes|history|news|releases?|release[-_]?notes)(?:\.(?:md|mdx|rst|txt|adoc))?$|(?:^|\/)(?:changelogs?(?:\.d)?|newsfragments|release[-_]?notes|changes(?=\/\d))\/|(?:^|\/)docs?\/(?:.*\/)?(?:releases|changes|whatsnew)\//i

export const isTestPath = (path: string): boolean => TEST.test(path)
export const isDocumentationPath = (path: string): boolean => DOCUMENTATION.test(path)
export const isChangelogPath = (path: string): boolean => CHANGELOG.test(path)
