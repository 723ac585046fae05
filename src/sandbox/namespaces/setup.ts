/** The first commands inside the namespaces, as one fixed shell program: the network is made ready while Node starts. */
import {
  CHANGES_FOLDER,
  EMPTY_FOLDER,
  HOME_FOLDER,
  PRIVATE,
  SEEN_FOLDER,
  SHARED_ROOTS,
  WORK_FOLDER,
} from "./jail.ts";

/** What is made ready beside each other; each leaves a word when it is done: `ok`, or the stage that failed. */
export const PARTS = ["network", "folders"] as const;
export const statusFile = (part: (typeof PARTS)[number]): string => `${PRIVATE}/${part}.status`;
export const faultFile = (part: (typeof PARTS)[number]): string => `${PRIVATE}/${part}.fault`;

/** Folders of the system stay as they are; in others the server may write, to a layer that ends with it. */
const SHARED_PATTERN = SHARED_ROOTS.flatMap((root) => [root, `${root}/*`]).join("|");
const TMPFS = "mount -t tmpfs -o nosuid,nodev,mode=0755";

/** $1 is the size of a private folder in MiB, $2 the number of folders that are shown, which come next; the words after them
 *  are started in the end. ROUTES and FILTER come as variables and go no further. A ping that is refused before it is sent
 *  would be no evidence. In a layer over a folder, the sockets and pipes of the folder are names without a meaning. */
export const SETUP = `
${TMPFS},size=32m tmpfs ${PRIVATE} || exit 70
mkdir ${HOME_FOLDER} ${WORK_FOLDER} ${SEEN_FOLDER} ${EMPTY_FOLDER} ${CHANGES_FOLDER} || exit 70
say() { echo "$2" > ${PRIVATE}/$1.new; mv ${PRIVATE}/$1.new ${PRIVATE}/$1.status; }
( fault=${faultFile("network")}
  printf %s "$ROUTES" | ip -force -batch - 2>/dev/null
  ip route get 203.0.113.1 >/dev/null 2>$fault || { say network routes; exit; }
  printf %s "$FILTER" | nft -f - 2>$fault || { say network nftables; exit; }
  { echo '0 2147483647' > /proc/sys/net/ipv4/ping_group_range || echo '0 0' > /proc/sys/net/ipv4/ping_group_range; } 2>/dev/null || :
  say network ok ) 3>&- </dev/null >/dev/null &
( fault=${faultFile("folders")}
  { ${TMPFS},size="$1"m tmpfs ${CHANGES_FOLDER} && ${TMPFS},size="$1"m tmpfs ${HOME_FOLDER} && ${TMPFS},size="$1"m tmpfs ${WORK_FOLDER}; } 2>$fault || { say folders memory; exit; }
  left=$2 number=0
  shift 2
  while [ "$left" -gt 0 ]; do
    case $1 in
      ${SHARED_PATTERN}) how="ro,lowerdir=$1:${EMPTY_FOLDER}" ;;
      *) mkdir -p ${CHANGES_FOLDER}/$number/new ${CHANGES_FOLDER}/$number/work
        how="lowerdir=$1,upperdir=${CHANGES_FOLDER}/$number/new,workdir=${CHANGES_FOLDER}/$number/work,userxattr" ;;
    esac
    { mkdir ${SEEN_FOLDER}/$number && mount -t overlay -o "$how" overlay ${SEEN_FOLDER}/$number; } 2>$fault || { say folders layers; exit; }
    left=$((left - 1)) number=$((number + 1))
    shift
  done
  say folders ok ) 3>&- </dev/null >/dev/null &
shift $((2 + $2))
unset ROUTES FILTER
exec "$@"
`;
