/*
 * The protocol of package shard for one key: look-up, decide, seal, copy, publish,
 * and the birth of a key in an epoch. Two deciders with instants of their own, a
 * sweeper that forgets, an inserter whose shard is full and splits.
 *
 * A key is a token bucket of one token that earns one a tick, in the spent form of
 * package bucket: a value v admits a request at now if v <= now, and becomes
 * max(v, now) + 1. It is idle at now if v <= now; fresh at b, it is b. Instants are
 * 0, 1 and 2; every request draws its own, so that most are stale.
 *
 * Each atomic operation of the program on shared memory is one step here, and
 * everything may come between two. What nobody else can see is joined to it.
 *
 * With -D and a name of mutants.txt one fault is planted, which spin must find.
 */

#ifndef REQUESTS
#define REQUESTS 1   /* of each decider */
#endif
#ifndef SWEEPS
#define SWEEPS 1
#endif
#define EPOCHS   4   /* the first, one by the inserter, at most two by the sweeper */
#define INSTANTS 3

typedef Epoch {
	bool published;  /* the slot's meta */
	bool sealed;     /* and its word */
	byte v;
	byte born;
};

Epoch epoch[EPOCHS];
byte dir;            /* the epoch that the directory names */
byte last;           /* the newest one made */
bool locked;

/* Ghosts: nothing reads them but the claims. */
byte admitted[INSTANTS];
byte truth;          /* the value after all admissions, in the order of their swaps */
byte done;

#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define OPEN(e)   (epoch[e].published && !epoch[e].sealed)

/* An admission at now. No other word may be open: it could be spent from as well. */
inline admit(e, now) {
	admitted[now]++;
	assert(admitted[now] <= 1); /* no double spend: C1 for any interval */
	truth = MAX(truth, now) + 1;
	assert(!(OPEN(0) && e != 0) && !(OPEN(1) && e != 1) && !(OPEN(2) && e != 2) && !(OPEN(3) && e != 3))
}

/* Acquire: under the lock find the key in the epoch of now, or make it there, the
 * word before the meta that publishes it. */
inline acquire(e) {
	atomic {
		!locked -> locked = true;
#ifndef OLD_EPOCH
		e = dir
#endif
	};
	if
	:: !epoch[e].published ->
#ifdef META_FIRST
		epoch[e].published = true;
		epoch[e].v = epoch[e].born
#else
		epoch[e].v = epoch[e].born;
		epoch[e].published = true
#endif
	:: else
	fi;
	locked = false
}

/* Rebuild, under the lock: seal, copy, publish. The epoch "to" is nobody's until
 * the directory names it. */
inline rebuild(from, to, v, forget, now) {
	atomic {
		!locked -> locked = true;
		from = dir;
		last++;
		to = last;
		epoch[to].born = epoch[from].born;
#ifndef NO_BORN
		if
		:: forget -> epoch[to].born = MAX(epoch[from].born, now)
		:: else
		fi;
#endif
		v = epoch[from].v
	};
	if
	:: epoch[from].published && forget && v <= now -> /* idle */
		atomic {
#ifdef DROP_UNCONDITIONALLY
			epoch[from].sealed = true;
			v = 255
#else
			if   /* the compare-and-swap: a request that got in first keeps it */
			:: epoch[from].v == v -> epoch[from].sealed = true; v = 255
			:: else
			fi
#endif
		}
	:: else
	fi;
	if
	:: epoch[from].published && v != 255 ->
#ifdef COPY_BEFORE_SEAL
		v = epoch[from].v;
		epoch[from].sealed = true;
#else
		atomic {
#ifndef NO_SEAL
			epoch[from].sealed = true;
#endif
			v = epoch[from].v
		};
#endif
		epoch[to].v = v;
		epoch[to].published = true
	:: else
	fi;
#ifdef UNLOCK_BEFORE_PUBLISH
	locked = false;
	dir = to
#else
	dir = to;
	locked = false
#endif
}

proctype decider() {
	byte now, e, v, requests;
request:
	if :: now = 0 :: now = 1 :: now = 2 fi;
	e = dir;
again:
	atomic {
		if
		:: !epoch[e].published -> goto absent
		:: epoch[e].published && epoch[e].sealed -> goto sealed
		:: epoch[e].published && !epoch[e].sealed && epoch[e].v > now -> goto decided /* denied: nothing is written */
		:: else -> v = epoch[e].v
		fi
	};
	atomic { /* the compare-and-swap */
		if
		:: !epoch[e].sealed && epoch[e].v == v ->
			epoch[e].v = MAX(v, now) + 1;
			admit(e, now);
			goto decided
		:: else -> goto again
		fi
	};
sealed:
#ifdef NO_SECOND_LOOK
	goto again;
#endif
absent:
	acquire(e);
	goto again;
decided:
	atomic {
		requests++;
		e = 0;
		v = 0;
		if
		:: requests < REQUESTS -> goto request
		:: else
		fi;
		now = 0;
		done++
	}
}

proctype sweeper() {
	byte from, to, v, now, sweeps;
	do
	:: sweeps < SWEEPS ->
		atomic {
			sweeps++;
			if :: now = 1 :: now = 2 fi
		};
		rebuild(from, to, v, true, now)
	:: else -> break
	od;
	atomic { from = 0; to = 0; v = 0; now = 0; done++ }
}

proctype inserter() {
	byte from, to, v;
	rebuild(from, to, v, false, 0);
	atomic { from = 0; to = 0; v = 0; done++ }
}

init {
	atomic {
		if /* the key is there, unused or spent, or it is not */
		:: epoch[0].published = true
		:: epoch[0].published = true; epoch[0].v = 1; truth = 1; admitted[0] = 1
		:: skip
		fi;
		run decider();
		run decider();
		run sweeper();
		run inserter()
	}
	done == 4;
	/* no lost word: what the table answers, the truth answers. Of instants
	 * before the epoch was born it may know less; then it denies. */
	assert(!epoch[dir].published || MAX(epoch[dir].v, epoch[dir].born) == MAX(truth, epoch[dir].born));
	assert(epoch[dir].published || truth <= epoch[dir].born)
}

/* Every request ends. */
ltl ends { <> (done == 4) }
